// Parts of biases are the bits of the whole: any heads, queries and keys.

#include "bias_helpers.hpp"
#include "parts.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/dynamic_position_bias.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_cpb.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc {
namespace {

using namespace tests;

constexpr std::size_t kHeads = 5;

/// Whole positions in runs, as those of packed sequences.
std::vector<double> packed_positions(std::size_t count, std::size_t length) {
  std::vector<double> positions;
  for (std::size_t i = 0; i < count; ++i) positions.push_back(static_cast<double>(i % length));
  return positions;
}

/// `bias` of ranges and of lists of positions, for encodings that `heads(slice)` makes.
template <class Heads>
void expect_bias(const char* name, const Heads& heads, std::size_t key_count = 300) {
  Random random;
  std::vector<double> queries(9), keys(key_count);
  for (double& position : queries) position = random.uniform(0, 400);
  for (double& position : keys) position = random.uniform(-20, 400);
  const std::vector<double> some_queries = packed_positions(9, 4),
                            some_keys = packed_positions(key_count, 97);
  const std::pair<Positions, Positions> positions[] = {
      {Positions::of(queries), Positions::of(keys)},
      {Positions::of(some_queries), Positions::of(some_keys)},
      {Positions::of(queries), Positions::of(some_keys)},
      {Positions::from(290, 9), Positions::from(1, key_count)}};
  for (const auto& [from_all, to_all] : positions) {
    const Positions from = from_all, to = to_all;  // which lambdas can have
    expect_parts_equal_whole({name, {kHeads, 9, key_count}, 1, [&](Slices s, StorageType type) {
                                return written(size_of(s), type, [&](Floats out) {
                                  return heads(s[0]).bias(from.slice(s[1].first, s[1].count),
                                                          to.slice(s[2].first, s[2].count), out);
                                });
                              }});
  }
}

/// `distances` of the same.
template <class Heads>
void expect_distances(const char* name, const Heads& heads) {
  expect_parts_equal_whole({name, {kHeads, 700}, 1, [&](Slices s, StorageType type) {
                              return written(size_of(s), type, [&](Floats out) {
                                const auto first = static_cast<std::int64_t>(s[1].first) - 400;
                                return heads(s[0]).distances(first, out);
                              });
                            }});
}

std::vector<double> some(const std::vector<double>& all, Slice s) {
  return taken(all, {kHeads}, {s});
}

TEST(PartsBias, Alibi) {
  for (const AlibiForm form : {AlibiForm::causal, AlibiForm::symmetric}) {
    const Alibi whole({.heads = kHeads, .form = form});
    const std::vector<double> slopes(whole.slopes().begin(), whole.slopes().end());
    const auto heads = [&](Slice s) {
      return Alibi({.heads = s.count, .form = form, .custom_slopes = some(slopes, s)});
    };
    expect_distances("alibi", heads);
    const Positions keys = Positions::from(-5, 600);
    const std::vector<double> packed = packed_positions(600, 97);
    for (const Positions& all : {keys, Positions::of(packed)}) {
      expect_parts_equal_whole({"alibi keys", {kHeads, 600}, 1, [&](Slices s, StorageType type) {
                                  return written(size_of(s), type, [&](Floats out) {
                                    return heads(s[0]).key_bias(all.slice(s[1].first, s[1].count),
                                                                out);
                                  });
                                }});
    }
    expect_parts_equal_whole({"falcon keys", {kHeads, 600}, 1, [&](Slices s, StorageType type) {
                                return written(size_of(s), type, [&](Floats out) {
                                  return heads(s[0]).falcon_key_bias(
                                      keys.slice(s[1].first, s[1].count), out);
                                });
                              }});
    expect_bias("alibi", heads);
  }
}

TEST(PartsBias, Kerple) {
  Random random;
  std::vector<double> p(kHeads), a(kHeads);
  for (double& one : p) one = random.uniform(0, 2);
  for (double& one : a) one = random.uniform(0, 2);
  for (const KerpleKind kind : {KerpleKind::log, KerpleKind::power}) {
    const auto heads = [&](Slice s) {
      return Kerple({.heads = s.count, .kind = kind, .p = some(p, s), .a = some(a, s)});
    };
    expect_distances("kerple", heads);
    expect_bias("kerple", heads);
  }
}

/// An encoding of some columns of a table [rows, heads], which lives as long.
template <class Encoding, class Config>
class OfColumns {
 public:
  OfColumns(Config config, const std::vector<float>& table, Slice s)
      : table_(taken(table, {table.size() / kHeads, kHeads}, {{0, table.size() / kHeads}, s})),
        config_(config) {
    config_.heads = s.count;
    config_.table = table_;
  }
  Status distances(std::int64_t first, Floats out) const {
    return Encoding(config_).distances(first, out);
  }
  template <class... Arguments>
  Status bias(const Arguments&... arguments) const {
    return Encoding(config_).bias(arguments...);
  }

 private:
  std::vector<float> table_;
  Config config_;
};

TEST(PartsBias, TrainedTables) {
  Random random;
  const std::vector<float> buckets = random.floats(32 * kHeads);
  for (const bool bidirectional : {false, true}) {
    const auto heads = [&](Slice s) {
      return OfColumns<T5, T5Config>({.bidirectional = bidirectional}, buckets, s);
    };
    expect_distances("t5", heads);
    // T5 takes whole positions
    const Positions queries = Positions::from(50, 9), keys = Positions::from(0, 300);
    expect_parts_equal_whole({"t5", {kHeads, 9, 300}, 1, [&](Slices s, StorageType type) {
                                return written(size_of(s), type, [&](Floats out) {
                                  return heads(s[0]).bias(queries.slice(s[1].first, s[1].count),
                                                          keys.slice(s[2].first, s[2].count), out);
                                });
                              }});
  }
  const std::vector<float> offsets = random.floats(7 * 9 * kHeads);
  expect_parts_equal_whole({"swin", {kHeads}, 400, [&](Slices s, StorageType type) {
                              return written(size_of(s, 400), type, [&](Floats out) {
                                return OfColumns<Swin, SwinConfig>(
                                           {.window_height = 4, .window_width = 5}, offsets, s[0])
                                    .bias(out);
                              });
                            }});
}

/// The network of some of the heads.
std::vector<MlpLayer> layers_of(const Network& network, Slice s) {
  std::vector<MlpLayer> layers = network.layers();
  const Network::Layer& last = network.tensors.back();
  const std::size_t inputs = last.weight.size() / kHeads;
  layers.back() = {std::span(last.weight).subspan(s.first * inputs, s.count * inputs),
                   std::span(last.bias).subspan(s.first, s.count)};
  return layers;
}

TEST(PartsBias, Networks) {
  Random random;
  const std::size_t one_input[] = {1, 6, kHeads}, two_inputs[] = {2, 6, kHeads};
  const Network network = Network::of(one_input, random), planar = Network::of(two_inputs, random);
  for (const bool flag : {false, true}) {
    const auto dynamic = [&](Slice s) {
      return DynamicPositionBias(
          {.heads = s.count, .log_distance = flag, .layers = layers_of(network, s)});
    };
    expect_distances("dynamic_position_bias", dynamic);
    expect_bias("dynamic_position_bias", dynamic, 20);
    expect_bias(
        "fire",
        [&](Slice s) {
          return Fire(
              {.heads = s.count, .causal = flag, .threshold = 30, .layers = layers_of(network, s)});
        },
        20);
    expect_parts_equal_whole({"swin_cpb", {kHeads}, 400, [&](Slices s, StorageType type) {
                                return written(size_of(s, 400), type, [&](Floats out) {
                                  return SwinCpb({.window_height = 4,
                                                  .window_width = 5,
                                                  .heads = s[0].count,
                                                  .coordinates = flag ? SwinCoordinates::logarithmic
                                                                      : SwinCoordinates::normalised,
                                                  .layers = layers_of(planar, s[0])})
                                      .bias(out);
                                });
                              }});
  }
}

}  // namespace
}  // namespace posenc
