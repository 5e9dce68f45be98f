#include "posenc/bias/t5.hpp"

#include <algorithm>
#include <limits>

#include "posenc/bias/toeplitz.hpp"
#include "posenc/core/check.hpp"
#include "posenc/core/elements.hpp"
#include "posenc/core/log_buckets.hpp"

namespace posenc {
namespace {

constexpr char kName[] = "t5";
constexpr std::size_t kMaxBuckets = std::size_t{1} << 16;
constexpr std::int64_t kMaxDistanceLimit = std::int64_t{1} << 31;
/// Buckets whose gradients are summed at a time, on the stack.
constexpr std::size_t kBucketTile = 256;
constexpr double kMaxOffset = 2.0 * static_cast<double>(kMaxPosition);

/// Buckets of one direction.
std::size_t buckets_of(const T5Config& config) noexcept {
  return config.bidirectional.value_or(false) ? config.num_buckets / 2 : config.num_buckets;
}

/// The smallest distance of bucket exact + step: the smallest whole number that is at least
/// exact * (max_distance / exact)^(step / steps).
std::int64_t threshold(std::size_t exact, std::int64_t max_distance, std::size_t step,
                       std::size_t steps) noexcept {
  const detail::IntegerPart part =
      detail::geometric_step(static_cast<std::int64_t>(exact), max_distance, step, steps);
  return part.exact ? part.whole : part.whole + 1;
}

std::vector<std::int64_t> thresholds_of(const T5Config& config) {
  const std::size_t buckets = buckets_of(config), exact = buckets / 2, steps = buckets - exact;
  std::vector<std::int64_t> thresholds(buckets);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    thresholds[bucket] = bucket <= exact
                             ? static_cast<std::int64_t>(bucket)
                             : threshold(exact, config.max_distance, bucket - exact, steps);
  }
  return thresholds;
}

/// The bias of distances first, first + 1, ... for one head, a run of equal buckets at a time.
void fill(const T5& t5, std::size_t head, std::int64_t first, std::size_t count,
          float* out) noexcept {
  const std::span<const std::int64_t> thresholds = t5.thresholds();
  const std::size_t buckets = thresholds.size();
  std::size_t done = 0;
  while (done < count) {
    const std::int64_t distance = first + static_cast<std::int64_t>(done);
    const auto bucket = static_cast<std::size_t>(t5.bucket(distance));
    const std::size_t step = bucket % buckets;
    std::int64_t last = std::numeric_limits<std::int64_t>::max();
    if (distance <= 0) {
      last = -thresholds[step];
    } else if (*t5.config().bidirectional && step + 1 < buckets) {
      last = thresholds[step + 1] - 1;
    }
    const auto run = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(distance) + 1;
    const std::size_t length = run > count - done ? count - done : static_cast<std::size_t>(run);
    float value = 0.0f;
    std::fill_n(out + done, length,
                *detail::read(t5.config().table, bucket * t5.config().heads + head, 1, &value));
    done += length;
  }
}

void fill(const T5& t5, std::size_t head, double first, std::size_t count, Floats out,
          std::size_t at) noexcept {
  detail::generate(out, at, count, [&](std::size_t done, std::size_t part, float* values) {
    fill(t5, head, static_cast<std::int64_t>(first) + static_cast<std::int64_t>(done), part,
         values);
  });
}

Status check_output(const T5Config& config, ConstFloats out) noexcept {
  if (config.table.empty()) {
    return Status::failure(Code::shape, "table",
                           "t5: table must have num_buckets * heads = %zu * %zu elements for a "
                           "bias, got none",
                           config.num_buckets, config.heads);
  }
  return detail::check_apart(kName, "out", out, "table", config.table);
}

}  // namespace

Status check(const T5Config& config) noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_width(kName, "heads", config.heads));
  if (!config.bidirectional.has_value()) {
    return Status::failure(Code::value_range, "bidirectional",
                           "t5: bidirectional must be given: true for encoders, false for "
                           "decoders");
  }
  const std::size_t least = *config.bidirectional ? 4 : 2;
  if (config.num_buckets < least || config.num_buckets > kMaxBuckets) {
    return Status::failure(Code::value_range, "num_buckets",
                           "t5: num_buckets must be %zu to %zu, got %zu", least, kMaxBuckets,
                           config.num_buckets);
  }
  const auto exact = static_cast<std::int64_t>(buckets_of(config) / 2);
  if (config.max_distance <= exact || config.max_distance >= kMaxDistanceLimit) {
    return Status::failure(Code::value_range, "max_distance",
                           "t5: max_distance must be above the %lld exact buckets and below 2^31, "
                           "got %lld",
                           static_cast<long long>(exact),
                           static_cast<long long>(config.max_distance));
  }
  if (config.table.empty()) return {};
  return detail::check_shape(kName, "table", config.table.size(), "num_buckets * heads",
                             {config.num_buckets, config.heads});
}

T5::T5(const T5Config& config) : config_(config) {
  check(config).or_throw();
  thresholds_ = thresholds_of(config);
}

std::int32_t T5::bucket(std::int64_t distance) const noexcept {
  const bool after = distance > 0;
  if (after && !*config_.bidirectional) return 0;
  const std::uint64_t magnitude =
      after ? static_cast<std::uint64_t>(distance) : 0 - static_cast<std::uint64_t>(distance);
  const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto steps = static_cast<std::int64_t>(std::min(magnitude, limit));
  const auto past = std::ranges::upper_bound(thresholds_, steps) - thresholds_.begin() - 1;
  const auto direction = after ? static_cast<std::ptrdiff_t>(thresholds_.size()) : 0;
  return static_cast<std::int32_t>(past + direction);
}

Status T5::distances(std::int64_t first, Floats out) const noexcept {
  const std::size_t count = out.size() / config_.heads;
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kName, "out", out.size(), "heads * count", {config_.heads, count}));
  POSENC_RETURN_IF_FAILED(check_output(config_, out));
  POSENC_RETURN_IF_FAILED(
      detail::check_positions(kName, "first", Positions::from(first, count), kMaxOffset));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    fill(*this, head, static_cast<double>(first), count, out, head * count);
  }
  return {};
}

Status T5::bias(const Positions& queries, const Positions& keys, Floats out) const noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "out", out.size(), "heads * queries * keys",
                                              {config_.heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(check_output(config_, out));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "keys", keys));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    detail::fill_toeplitz(queries, keys, head, out,
                          [&](double first, Floats target, std::size_t at, std::size_t count) {
                            fill(*this, head, first, count, target, at);
                          });
  }
  return {};
}

Status T5::table_gradient(const Positions& queries, const Positions& keys, ConstFloats gradient,
                          std::span<float> table) const noexcept {
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "gradient", gradient.size(),
                                              "heads * queries * keys",
                                              {config_.heads, queries.size(), keys.size()}));
  POSENC_RETURN_IF_FAILED(detail::check_shape(kName, "table", table.size(), "num_buckets * heads",
                                              {config_.num_buckets, config_.heads}));
  POSENC_RETURN_IF_FAILED(detail::check_apart(kName, "table", table, "gradient", gradient));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "queries", queries));
  POSENC_RETURN_IF_FAILED(detail::check_whole_positions(kName, "keys", keys));
  for (std::size_t head = 0; head < config_.heads; ++head) {
    for (std::size_t first = 0; first < config_.num_buckets; first += kBucketTile) {
      double sums[kBucketTile] = {};
      detail::visit_bias(queries, keys, head, gradient, [&](double distance, double weight) {
        const auto row = static_cast<std::size_t>(bucket(static_cast<std::int64_t>(distance)));
        if (row - first < kBucketTile) sums[row - first] += weight;
      });
      const std::size_t count = std::min(kBucketTile, config_.num_buckets - first);
      for (std::size_t i = 0; i < count; ++i) {
        table[(first + i) * config_.heads + head] = static_cast<float>(sums[i]);
      }
    }
  }
  return {};
}

Result<T5> make(const T5Config& config) noexcept {
  return make_result<T5>(config, {kName, "num_buckets", config.num_buckets});
}

}  // namespace posenc
