// How far slopes and biases are from exact values: at most 1 ulp of float32.

#include <bit>
#include <vector>

#include "accuracy.hpp"
#include "bias_helpers.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/dynamic_position_bias.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/swin_cpb.hpp"

namespace posenc {
namespace {

using namespace tests;

Exact exact_slope(const AlibiConfig& config, std::size_t head) {
  const std::size_t regular =
      config.slopes == AlibiSlopes::paper ? config.heads : std::bit_floor(config.heads);
  const bool first = head < regular;
  const std::size_t steps = first ? head + 1 : 2 * (head - regular) + 1;
  return pow(2.0,
             Exact(-config.alibi_bias_max) * Exact(steps) / Exact(first ? regular : 2 * regular));
}

/// A whole number of any size up to 2^bits, of any sign.
std::int64_t any_whole(Random& random, int bits) {
  const std::int64_t size = random.integer(0, std::int64_t{1} << random.integer(0, bits));
  return random.integer(0, 1) == 0 ? size : -size;
}

TEST(AccuracyBias, Alibi) {
  Random random;
  Sweep slopes("alibi slopes", "both rules, 7 counts of heads, alibi_bias_max 8 and 5.5");
  Sweep biases("alibi bias", "both rules and forms, distances to 2^51, whole and fractional");
  Sweep keys("alibi key_bias", "the same, key positions to 2^50");
  for (const std::size_t heads : {1u, 3u, 8u, 12u, 71u, 112u, 300u}) {
    for (const AlibiSlopes rule : {AlibiSlopes::checkpoint, AlibiSlopes::paper}) {
      for (const double most : {8.0, 5.5}) {
        const Alibi alibi({.heads = heads,
                           .slopes = rule,
                           .form = most == 8 ? AlibiForm::causal : AlibiForm::symmetric,
                           .alibi_bias_max = most});
        std::vector<Exact> exact;
        for (std::size_t head = 0; head < heads; ++head) {
          exact.push_back(exact_slope(alibi.config(), head));
          slopes.see(static_cast<float>(alibi.slopes()[head]), exact[head], 0, head);
        }
        std::vector<float> out(heads * 5), one(heads);
        for (int trial = 0; trial < 60; ++trial) {
          const std::int64_t first = any_whole(random, trial % 2 == 0 ? 50 : 24);
          ASSERT_TRUE(succeeded(alibi.distances(first, out)));
          const double query = swept_position(random, static_cast<std::size_t>(trial), 1.0);
          const double key = swept_position(random, static_cast<std::size_t>(trial) + 2, 0.3);
          ASSERT_TRUE(succeeded(alibi.bias(Positions::of(std::span(&query, 1)),
                                           Positions::of(std::span(&key, 1)), one)));
          for (std::size_t head = 0; head < heads; ++head) {
            for (std::size_t i = 0; i < 5; ++i) {
              const double distance = static_cast<double>(first + static_cast<std::int64_t>(i));
              if (std::isinf(out[head * 5 + i])) continue;
              biases.see(out[head * 5 + i], -(exact[head] * std::fabs(distance)), distance, head);
            }
            // the library's distance is the nearest double of key - query
            if (!std::isinf(one[head])) {
              biases.see(one[head], -(exact[head] * abs(Exact(key) - query)), key - query, head);
            }
          }
          const double at = static_cast<double>(first);
          ASSERT_TRUE(succeeded(alibi.key_bias(Positions::of(std::span(&at, 1)), one)));
          for (std::size_t head = 0; head < heads; ++head) {
            keys.see(one[head], exact[head] * at, at, head);
          }
        }
      }
    }
  }
}

TEST(AccuracyBias, Kerple) {
  Random random;
  for (const KerpleKind kind : {KerpleKind::log, KerpleKind::power}) {
    const bool log_kind = kind == KerpleKind::log;
    Sweep swept(log_kind ? "kerple log" : "kerple power",
                log_kind ? "p to 3, a 1e-30 to 1e3, distances to 2^50 and fractional"
                         : "p to 3, a 1e-9 to 1e3, distances to 2^24 and fractional");
    for (int trial = 0; trial < 400; ++trial) {
      const double p = random.uniform(0, 3);
      const double a = std::ldexp(random.uniform(1, 2),
                                  static_cast<int>(random.integer(log_kind ? -100 : -30, 9)));
      const Kerple kerple({.heads = 1, .kind = kind, .causal = false, .p = {p}, .a = {a}});
      for (int i = 0; i < 16; ++i) {
        const std::int64_t first = any_whole(random, log_kind ? 50 : 24);
        const double query = 0;
        double key = static_cast<double>(first);
        float out = 0;
        if (i % 2 == 0) {
          ASSERT_TRUE(succeeded(kerple.distances(first, {&out, 1})));
        } else {
          key = swept_position(random, static_cast<std::size_t>(i), 1.0);
          ASSERT_TRUE(succeeded(kerple.bias(Positions::of(std::span(&query, 1)),
                                            Positions::of(std::span(&key, 1)), {&out, 1})));
        }
        const double distance = std::fabs(key);
        if (distance == 0) {
          swept.see(out, 0.0, 0);
          continue;
        }
        // ln(1 + a d) keeps its digits where a d is small
        const Exact product = Exact(a) * distance;
        const Exact value = log_kind ? log_one_plus(product) * p : pow(distance, p) * a;
        swept.see(out, -value, key);
      }
    }
  }
}

/// What a network computes, exactly.
std::vector<Exact> run(const Network& network, std::vector<Exact> values,
                       Exact (*activation)(const Exact&)) {
  for (std::size_t i = 0; i < network.tensors.size(); ++i) {
    const Network::Layer& layer = network.tensors[i];
    std::vector<Exact> next;
    for (std::size_t row = 0; row < layer.bias.size(); ++row) {
      Exact sum = static_cast<double>(layer.bias[row]);
      for (std::size_t j = 0; j < values.size(); ++j) {
        sum = sum + values[j] * static_cast<double>(layer.weight[row * values.size() + j]);
      }
      next.push_back(i + 1 == network.tensors.size() ? sum : activation(sum));
    }
    values = next;
  }
  return values;
}

Exact relu_of(const Exact& x) { return x.is_negative() ? Exact() : x; }
Exact silu_of(const Exact& x) { return x * sigmoid(x); }

TEST(AccuracyBias, Fire) {
  Random random;
  Sweep swept("fire", "networks of random weights, 4 heads, positions to 2^24, 3 thresholds");
  const std::size_t widths[] = {1, 8, 4};
  for (const double threshold : {0.0, 16.0, 1e6}) {
    const Network network = Network::of(widths, random);
    const FireConfig config{
        .heads = 4, .c = 0.37, .threshold = threshold, .layers = network.layers()};
    const Fire fire(config);
    for (std::size_t index = 0; index < 500; ++index) {
      const double query = std::fabs(swept_position(random, index, 1.0));
      const double key = random.uniform(0, query);
      std::vector<float> out(4);
      ASSERT_TRUE(succeeded(
          fire.bias(Positions::of(std::span(&query, 1)), Positions::of(std::span(&key, 1)), out)));
      const auto psi = [&](const Exact& x) { return log_one_plus(abs(Exact(config.c) * x)); };
      const Exact ratio = psi(query - key) / (psi(std::max(query, threshold)) + Exact(config.eps));
      const std::vector<Exact> exact = run(network, {ratio}, relu_of);
      for (std::size_t head = 0; head < 4; ++head) swept.see(out[head], exact[head], query, head);
    }
  }
}

TEST(AccuracyBias, DynamicPositionBias) {
  Random random;
  Sweep inputs("dynamic_position_bias",
               "what it sees: d and sign(d) ln(1 + |d|), to 2^51 and fractional");
  Sweep biases("dynamic_position_bias", "a network of random weights, distances to 2^24");
  const std::vector<float> one{1.0f};
  const std::size_t widths[] = {1, 6, 6, 3};
  const Network network = Network::of(widths, random);
  for (const bool log_distance : {false, true}) {
    const DynamicPositionBias plain(
        {.heads = 1, .log_distance = log_distance, .layers = {{one, {}}}});
    const DynamicPositionBias trained(
        {.heads = 3, .log_distance = log_distance, .layers = network.layers()});
    const auto input = [&](double key_minus_query) {
      const Exact distance = -key_minus_query;
      if (!log_distance) return distance;
      const Exact size = log_one_plus(abs(distance));
      return distance.is_negative() ? -size : size;
    };
    for (int trial = 0; trial < 1000; ++trial) {
      const std::int64_t far = any_whole(random, 51), near = any_whole(random, 24);
      std::vector<float> out(1), heads(3);
      ASSERT_TRUE(succeeded(plain.distances(far, out)));
      inputs.see(out[0], input(static_cast<double>(far)), static_cast<double>(far));
      const double query = 0, key = swept_position(random, static_cast<std::size_t>(trial), 1.0);
      ASSERT_TRUE(succeeded(
          plain.bias(Positions::of(std::span(&query, 1)), Positions::of(std::span(&key, 1)), out)));
      inputs.see(out[0], input(key), key);
      ASSERT_TRUE(succeeded(trained.distances(near, heads)));
      const std::vector<Exact> exact = run(network, {input(static_cast<double>(near))}, silu_of);
      for (std::size_t head = 0; head < 3; ++head) {
        biases.see(heads[head], exact[head], static_cast<double>(near), head);
      }
    }
  }
}

TEST(AccuracyBias, SwinCpb) {
  Random random;
  Sweep coordinates("swin_cpb coordinates", "both forms, windows to 64 x 31, pretrained 0, 7, 12");
  Sweep biases("swin_cpb bias", "a network of random weights, both forms, window 5 x 3");
  const auto exact_of = [](SwinCoordinates form, std::size_t index, std::size_t side,
                           std::size_t pretrained) -> Exact {
    const double offset = static_cast<double>(index) - static_cast<double>(side - 1);
    const std::size_t reach = (pretrained != 0 ? pretrained : side) - 1;
    const bool log_form = form == SwinCoordinates::logarithmic;
    if (offset == 0 || (reach == 0 && !log_form)) return {};
    const Exact size =
        log_form ? log_one_plus(std::fabs(offset))
                 : log_one_plus(Exact(8 * std::fabs(offset)) / Exact(reach)) / log(Exact(8.0));
    return offset < 0 ? -size : size;
  };
  const std::size_t widths[] = {2, 8, 2};
  const Network network = Network::of(widths, random);
  for (const SwinCoordinates form : {SwinCoordinates::normalised, SwinCoordinates::logarithmic}) {
    for (const std::size_t pretrained : {0u, 7u, 12u}) {
      for (const auto& [height, width] :
           std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {5, 3}, {7, 7}, {64, 31}}) {
        const SwinCpb swin({.window_height = height,
                            .window_width = width,
                            .pretrained_height = pretrained,
                            .pretrained_width = pretrained,
                            .heads = 2,
                            .coordinates = form,
                            .layers = network.layers()});
        const std::size_t columns = 2 * width - 1, rows = 2 * height - 1;
        std::vector<float> out(rows * columns * 2);
        ASSERT_TRUE(succeeded(swin.coordinates(out)));
        std::vector<Exact> y, x;
        for (std::size_t i = 0; i < rows; ++i) y.push_back(exact_of(form, i, height, pretrained));
        for (std::size_t i = 0; i < columns; ++i) x.push_back(exact_of(form, i, width, pretrained));
        for (std::size_t i = 0; i < rows * columns; ++i) {
          coordinates.see(out[2 * i], y[i / columns], static_cast<double>(i), 0);
          coordinates.see(out[2 * i + 1], x[i % columns], static_cast<double>(i), 1);
        }
        if (height != 5) continue;
        std::vector<float> bias(2 * 15 * 15);
        ASSERT_TRUE(succeeded(swin.bias(bias)));
        for (std::size_t at = 0; at < bias.size(); ++at) {
          const std::size_t head = at / 225, query = at / 15 % 15, key = at % 15;
          const std::size_t dy = query / 3 + 4 - key / 3, dx = query % 3 + 2 - key % 3;
          const Exact output = run(network, {y[dy], x[dx]}, relu_of)[head];
          const bool plain = form == SwinCoordinates::logarithmic;
          biases.see(bias[at], plain ? output : sigmoid(output) * 16.0, static_cast<double>(at),
                     head);
        }
      }
    }
  }
}

}  // namespace
}  // namespace posenc
