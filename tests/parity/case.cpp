#include "case.hpp"

#include <bit>
#include <cinttypes>
#include <string_view>
#include <utility>

namespace posenc::parity {
namespace {

constexpr std::int64_t kOne = 1;

template <class T>
std::vector<std::uint64_t> words_of(std::span<const T> values) {
  std::vector<std::uint64_t> words;
  words.reserve(values.size());
  for (const T value : values) words.push_back(std::bit_cast<std::uint64_t>(value));
  return words;
}

std::size_t product(std::initializer_list<std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t dimension : shape) count *= dimension;
  return count;
}

/// The bits of infinity in a type; 0 where there is none.
std::uint64_t infinity_of(std::string_view type) {
  if (type == "float64") return 0x7ff0000000000000u;
  if (type == "float32") return 0x7f800000u;
  if (type == "float16") return 0x7c00u;
  return type == "bfloat16" ? 0x7f80u : 0u;
}

std::uint64_t magnitude_of(std::string_view type, std::uint64_t word) {
  return word & (std::bit_ceil(infinity_of(type)) - 1);
}

/// Every NaN of a type counts as the same.
std::uint64_t comparable(std::string_view type, std::uint64_t word) {
  const std::uint64_t infinity = infinity_of(type);
  const bool nan = infinity != 0 && magnitude_of(type, word) > infinity;
  return nan ? infinity + 1 : word;
}

bool finite(std::string_view type, std::uint64_t word) {
  const std::uint64_t infinity = infinity_of(type);
  return infinity == 0 || magnitude_of(type, word) < infinity;
}

}  // namespace

const std::array<Place, 10> kWholePlaces = {{
    {"0..", Place::Kind::range, 0, 0},
    {"1..", Place::Kind::range, 1, 0},
    {"-5..", Place::Kind::range, -5, 0},
    {"4093..", Place::Kind::range, 4093, 0},
    {"2^24-2..", Place::Kind::range, (kOne << 24) - 2, 0},
    {"-2^31..", Place::Kind::range, -(kOne << 31), 0},
    {"2^50-512..", Place::Kind::range, kMaxPosition - 512, 0},
    {"int32", Place::Kind::int32, 0, 31},
    {"near", Place::Kind::int64, 0, 10},
    {"int64", Place::Kind::int64, 0, 50},
}};

const std::array<Place, 14> kPlaces = {{
    kWholePlaces[0],
    kWholePlaces[1],
    kWholePlaces[2],
    kWholePlaces[3],
    kWholePlaces[4],
    kWholePlaces[5],
    kWholePlaces[6],
    kWholePlaces[7],
    kWholePlaces[8],
    kWholePlaces[9],
    {"fractional", Place::Kind::fractional, 0, 12},
    {"fractional-2^24", Place::Kind::fractional, 0, 24},
    {"fractional-2^50", Place::Kind::fractional, 0, 50},
    {"tiny", Place::Kind::tiny, 0, 0},
}};

Case::Case(std::string name, Storage storage)
    : name_(std::move(name)), storage_(storage), generator_(name_) {}

Floats Case::buffer(Shape shape, StorageType type) {
  const std::size_t count = product(shape), size = storage_size(type);
  auto& guarded = buffers_.emplace_back(count * size, generator_.below(16) * size);
  return {guarded.data(), count, type};
}

void Case::record(bool output, const char* name, std::vector<std::size_t> shape,
                  ConstFloats buffer) {
  std::vector<std::uint64_t> words(buffer.size());
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = tests::bits_at(buffer, i);
  arrays_.push_back(
      {output, name, storage_name(buffer.type()), std::move(shape), std::move(words)});
}

void Case::parameters(const char* name, std::span<const double> values) {
  arrays_.push_back({false, name, "float64", {values.size()}, words_of(values)});
}

Floats Case::filled(const char* name, Shape shape, StorageType type, Values values) {
  const Floats elements = buffer(shape, type);
  tests::fill(elements, generator_, values);
  record(false, name, shape, elements);
  return elements;
}

Floats Case::emptied(const char* name, Shape shape, StorageType type) {
  outputs_.push_back({name, shape, buffer(shape, type)});
  return outputs_.back().buffer;
}

ConstFloats Case::input(const char* name, Shape shape, Values values) {
  return filled(name, shape, storage_.in, values);
}

Floats Case::in_place(const char* name, Shape shape, Values values) {
  const Floats elements = filled(name, shape, storage_.out, values);
  outputs_.push_back({name, shape, elements});
  return elements;
}

Floats Case::output(const char* name, Shape shape) { return emptied(name, shape, storage_.out); }

std::span<const float> Case::input_floats(const char* name, Shape shape, Values values) {
  const Floats elements = filled(name, shape, StorageType::float32, values);
  return {static_cast<const float*>(elements.data()), elements.size()};
}

std::span<float> Case::in_place_floats(const char* name, Shape shape, Values values) {
  const Floats elements = filled(name, shape, StorageType::float32, values);
  outputs_.push_back({name, shape, elements});
  return {static_cast<float*>(elements.data()), elements.size()};
}

std::span<float> Case::output_floats(const char* name, Shape shape) {
  const Floats elements = emptied(name, shape, StorageType::float32);
  return {static_cast<float*>(elements.data()), elements.size()};
}

Positions Case::positions(const char* name, const Place& place, std::size_t count) {
  std::vector<double> wide(count);
  std::vector<std::int64_t> whole(count);
  const std::int64_t limit = (kOne << place.power) - (place.power == 31 ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    whole[i] = place.first + static_cast<std::int64_t>(i);
    if (place.kind != Place::Kind::range) whole[i] = generator_.between(-limit, limit);
    wide[i] = static_cast<double>(whole[i]);
    if (place.kind == Place::Kind::fractional) wide[i] = generator_.real(-8, place.power - 1);
    if (place.kind == Place::Kind::tiny) {
      wide[i] = generator_.one_in(2) ? 0.0 * generator_.real(0, 0) : generator_.real(-1022, -30);
    }
  }
  parameters(name, wide);
  switch (place.kind) {
    case Place::Kind::range:
      return Positions::from(place.first, count);
    case Place::Kind::int32:
      return Positions::of(int32s_.emplace_back(whole.begin(), whole.end()));
    case Place::Kind::int64:
      return Positions::of(int64s_.emplace_back(std::move(whole)));
    case Place::Kind::fractional:
    case Place::Kind::tiny:
      break;
  }
  return Positions::of(doubles_.emplace_back(std::move(wide)));
}

Positions Case::positions_between(const char* name, std::int64_t low, std::int64_t high,
                                  std::size_t count) {
  std::vector<std::int64_t> whole(count);
  for (std::int64_t& position : whole) position = generator_.between(low, high);
  const std::size_t kind = generator_.below(4);
  const auto width = static_cast<std::int64_t>(count);
  if (kind == 0 && count > 0 && high - low + 1 >= width) {
    const std::int64_t first = generator_.between(low, high + 1 - width);
    for (std::size_t i = 0; i < count; ++i) whole[i] = first + static_cast<std::int64_t>(i);
  }
  const std::vector<double>& wide = doubles_.emplace_back(whole.begin(), whole.end());
  parameters(name, wide);
  if (kind == 0 && count > 0 && high - low + 1 >= width) return Positions::from(whole[0], count);
  if (kind == 1) return Positions::of(int32s_.emplace_back(whole.begin(), whole.end()));
  if (kind == 2) return Positions::of(wide);
  return Positions::of(int64s_.emplace_back(std::move(whole)));
}

void Case::result(const char* name, std::span<const double> values) {
  arrays_.push_back({true, name, "float64", {values.size()}, words_of(values)});
}

void Case::result(const char* name, std::span<const std::int64_t> values) {
  arrays_.push_back({true, name, "int64", {values.size()}, words_of(values)});
}

void Case::result(const char* name, std::span<const std::int32_t> values) {
  const std::vector<std::int64_t> wide(values.begin(), values.end());
  result(name, wide);
}

void Case::succeed(const Status& status) {
  if (!status.ok() && problem_.empty()) problem_ = status.message();
}

void Case::finish() {
  for (Output& output : outputs_) {
    record(true, output.name, std::move(output.shape), output.buffer);
  }
  for (auto& guarded : buffers_) {
    if (!guarded.intact() && problem_.empty()) problem_ = "memory outside a buffer was written";
  }
}

bool Case::spoil() {
  for (Array& array : arrays_) {
    for (std::uint64_t& word : array.words) {
      if (!array.output || !finite(array.type, word)) continue;
      word ^= 1;
      return true;
    }
  }
  return false;
}

std::uint64_t Case::hash() const {
  std::uint64_t hash = 0;
  for (const Array& array : arrays_) {
    if (!array.output) continue;
    for (const std::uint64_t word : array.words) {
      hash = (hash ^ comparable(array.type, word)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
  }
  return hash;
}

void Case::dump(std::FILE* file) const {
  for (const Array& array : arrays_) {
    std::fprintf(file, "%s %s %s ", array.output ? "out" : "in", array.name, array.type);
    for (std::size_t i = 0; i < array.shape.size(); ++i) {
      std::fprintf(file, "%s%zu", i == 0 ? "" : "x", array.shape[i]);
    }
    const std::string_view type = array.type;
    const int digits = type == "float32" ? 8 : type.ends_with("16") ? 4 : 16;
    for (const std::uint64_t word : array.words) std::fprintf(file, " %0*" PRIx64, digits, word);
    std::fputc('\n', file);
  }
}

}  // namespace posenc::parity
