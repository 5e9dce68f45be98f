#include <emscripten/bind.h>

#include <algorithm>

#include "bias_verbs.hpp"
#include "glue.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc::wasm {
namespace {

/// AlibiConfig with enums as their numbers.
struct AlibiOptions {
  std::size_t heads;
  unsigned slopes;
  unsigned form;
  double alibi_bias_max;
  std::size_t alibi_heads;
  Values custom_slopes;
};

Address alibi_make(const AlibiOptions& options) {
  return made<Alibi>([&] {
    return AlibiConfig{.heads = options.heads,
                       .slopes = static_cast<AlibiSlopes>(options.slopes),
                       .form = static_cast<AlibiForm>(options.form),
                       .alibi_bias_max = options.alibi_bias_max,
                       .alibi_heads = options.alibi_heads,
                       .custom_slopes = doubles(options.custom_slopes)};
  });
}

Address alibi_slopes(Address self) {
  return reinterpret_cast<Address>(at<Alibi>(self).slopes().data());
}

using KeyBias = Status (Alibi::*)(const Positions&, Floats) const noexcept;

/// `key_bias` and `falcon_key_bias`.
template <KeyBias verb>
int alibi_key_bias(Address self, unsigned kind, double first, std::size_t count, Address out,
                   std::size_t size) {
  return guarded(
      [&] { return (at<Alibi>(self).*verb)(positions(kind, first, count), floats(out, size)); });
}

/// T5Config with the table as address and count.
struct T5Options {
  std::size_t heads;
  bool bidirectional;
  std::size_t num_buckets;
  double max_distance;
  Address table;
  std::size_t table_values;
};

Address t5_make(const T5Options& options) {
  return made<T5>([&] {
    return T5Config{.heads = options.heads,
                    .bidirectional = options.bidirectional,
                    .num_buckets = options.num_buckets,
                    .max_distance = static_cast<std::int64_t>(options.max_distance),
                    .table = floats(options.table, options.table_values)};
  });
}

/// The buckets of `count` distances, given as positions are. Distances beyond kMaxPosition are
/// brought there first: thresholds end below 2^31.
void t5_buckets(Address self, unsigned kind, double first, std::size_t count, Address out) {
  const Positions distances = positions(kind, first, count);
  const double limit = static_cast<double>(kMaxPosition);
  auto* buckets = reinterpret_cast<std::int32_t*>(out);
  for (std::size_t index = 0; index < count; ++index) {
    const double distance = std::clamp(distances[index], -limit, limit);
    buckets[index] = at<T5>(self).bucket(static_cast<std::int64_t>(distance));
  }
}

Address t5_thresholds(Address self) {
  return reinterpret_cast<Address>(at<T5>(self).thresholds().data());
}
std::size_t t5_threshold_count(Address self) { return at<T5>(self).thresholds().size(); }

}  // namespace

EMSCRIPTEN_BINDINGS(bias) {
  emscripten::value_object<AlibiOptions>("AlibiOptions")
      .field("heads", &AlibiOptions::heads)
      .field("slopes", &AlibiOptions::slopes)
      .field("form", &AlibiOptions::form)
      .field("alibiBiasMax", &AlibiOptions::alibi_bias_max)
      .field("alibiHeads", &AlibiOptions::alibi_heads)
      .field("customSlopes", &AlibiOptions::custom_slopes);
  emscripten::function("alibi_make", &alibi_make);
  emscripten::function("alibi_dispose", &disposed<Alibi>);
  emscripten::function("alibi_slopes", &alibi_slopes);
  emscripten::function("alibi_distances", &distances<Alibi>);
  emscripten::function("alibi_bias", &bias<Alibi>);
  emscripten::function("alibi_key_bias", &alibi_key_bias<&Alibi::key_bias>);
  emscripten::function("alibi_falcon_key_bias", &alibi_key_bias<&Alibi::falcon_key_bias>);
  emscripten::function("alibi_slope_gradient", &gradient<Alibi, &Alibi::slope_gradient>);

  emscripten::value_object<T5Options>("T5Options")
      .field("heads", &T5Options::heads)
      .field("bidirectional", &T5Options::bidirectional)
      .field("numBuckets", &T5Options::num_buckets)
      .field("maxDistance", &T5Options::max_distance)
      .field("table", &T5Options::table)
      .field("tableValues", &T5Options::table_values);
  emscripten::function("t5_make", &t5_make);
  emscripten::function("t5_dispose", &disposed<T5>);
  emscripten::function("t5_buckets", &t5_buckets);
  emscripten::function("t5_thresholds", &t5_thresholds);
  emscripten::function("t5_threshold_count", &t5_threshold_count);
  emscripten::function("t5_distances", &distances<T5>);
  emscripten::function("t5_bias", &bias<T5>);
  emscripten::function("t5_table_gradient", &gradient<T5, &T5::table_gradient>);
}

}  // namespace posenc::wasm
