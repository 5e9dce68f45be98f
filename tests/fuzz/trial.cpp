#include "trial.hpp"

#include <algorithm>

namespace posenc::fuzz {

Floats Trial::data(std::size_t count) {
  constexpr StorageType kTypes[] = {StorageType::float32, StorageType::float32,
                                    StorageType::float16, StorageType::bfloat16};
  return data(count, random_.pick(kTypes));
}

Floats Trial::data(std::size_t count, StorageType type) {
  const std::size_t size = storage_size(type);
  auto& guarded = buffers_.emplace_back(count * size, random_.below(16) * size);
  const Floats elements(guarded.data(), count, type);
  const bool tiny = random_.one_in(2);
  tests::fill(elements, random_, tiny ? tests::Values::tiny : tests::Values::ordinary);
  originals_.emplace_back(guarded.data(), guarded.data() + guarded.size());
  return elements;
}

std::span<float> Trial::floats(std::size_t count) {
  return {static_cast<float*>(data(count, StorageType::float32).data()), count};
}

std::span<float> Trial::scratch(std::size_t count) {
  return scratch_.emplace_back(count * sizeof(float), random_.below(16) * sizeof(float))
      .as<float>();
}

Positions Trial::positions(std::size_t count, double limit) {
  const auto whole = static_cast<std::int64_t>(limit);
  if (random_.one_in(2)) return whole_positions(count, -whole, whole);
  std::vector<double>& array = doubles_.emplace_back(count);
  for (double& position : array) {
    position = random_.real(-20, 50);
    while (!(position <= limit && position >= -limit)) position *= 0.5;
    if (random_.one_in(16)) position = random_.one_in(2) ? 0.0 : -0.0;
  }
  return Positions::of(array);
}

Positions Trial::whole_positions(std::size_t count, std::int64_t low, std::int64_t high) {
  constexpr std::int64_t kMax32 = std::numeric_limits<std::int32_t>::max();
  const auto steps = static_cast<std::int64_t>(count);
  const std::size_t kind = random_.below(4);
  if (kind == 0 && high - low >= steps) {
    return Positions::from(random_.between(low, high - steps), count);
  }
  if (kind == 1) {
    std::vector<std::int32_t>& array = int32s_.emplace_back(count);
    const std::int64_t first = std::max(low, -kMax32), last = std::min(high, kMax32);
    for (auto& position : array) {
      position = static_cast<std::int32_t>(random_.between(first, last));
    }
    return Positions::of(array);
  }
  std::vector<std::int64_t>& array = int64s_.emplace_back(count);
  for (auto& position : array) position = random_.between(low, high);
  if (kind != 2) return Positions::of(array);
  return Positions::of(doubles_.emplace_back(array.begin(), array.end()));
}

Positions Trial::repeated(std::size_t count, double position) {
  return Positions::of(doubles_.emplace_back(count, position));
}

void Trial::restore() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    std::copy(originals_[i].begin(), originals_[i].end(), buffers_[i].data());
  }
}

std::vector<unsigned char> Trial::contents() {
  std::vector<unsigned char> all;
  for (auto& buffer : buffers_) {
    all.insert(all.end(), buffer.data(), buffer.data() + buffer.size());
  }
  return all;
}

bool Trial::intact() {
  bool all = true;
  for (auto& buffer : buffers_) all = buffer.intact() && all;
  for (auto& buffer : scratch_) all = buffer.intact() && all;
  return all;
}

std::size_t Trial::wild_size() noexcept {
  constexpr std::uint64_t kOne = 1;
  // None between 2^12 and 2^24: those are widths that are allowed and take long to prepare.
  constexpr std::uint64_t kSizes[] = {
      0,          1,          2,          3,          4,          5,           7,
      8,          16,         63,         64,         100,        4096,        kTooWide,
      kOne << 30, 0x7fffffff, kOne << 31, 0xffffffff, kOne << 32, 0x100000041, kOne << 50,
      kOne << 53, kOne << 62, kOne << 63, ~kOne,      ~kOne + 1};
  return static_cast<std::size_t>(random_.pick(kSizes));
}

std::int64_t Trial::wild_whole() noexcept {
  const std::size_t bits = random_.below(65);
  if (bits == 64) return std::numeric_limits<std::int64_t>::min();
  const auto limit = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
  if (bits == 63 || random_.one_in(2)) return random_.one_in(2) ? limit : -limit;
  return random_.between(-limit, limit);
}

double Trial::wild_real() noexcept {
  constexpr double kReals[] = {kNan,   kInfinity, -kInfinity, 0.0,  -0.0,  5e-324, 1e-310, 1e308,
                               -1e308, 1e30,      1e31,       -1.0, 0.5,   1.0,    2.0,    1e-30,
                               1e-31,  0.999999,  3.5,        1e16, -1e16, 9e15};
  return random_.one_in(4) ? random_.real(-1000, 1000) : random_.pick(kReals);
}

}  // namespace posenc::fuzz
