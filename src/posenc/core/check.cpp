#include "posenc/core/check.hpp"

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>

namespace posenc::detail {
namespace {

constexpr std::size_t kMaxFloats =
    static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / sizeof(float);

bool multiply(std::initializer_list<std::size_t> dimensions, std::size_t& product) noexcept {
  product = 1;
  bool fits = true;
  for (std::size_t dimension : dimensions) {
    if (dimension == 0) {
      product = 0;
      return true;
    }
    if (product > kMaxFloats / dimension) fits = false;
    if (fits) product *= dimension;
  }
  return fits;
}

Status outside(const char* encoding, const char* field, double position, double limit) noexcept {
  return Status::failure(Code::position_range, field,
                         "%s: %s must be finite and at most %s in magnitude, got %s", encoding,
                         field, NumberText(limit).c_str(), NumberText(position).c_str());
}

}  // namespace

Status check_width(const char* encoding, const char* field, std::size_t value) noexcept {
  return check_count(encoding, field, value, 1, kMaxWidth);
}

Status check_count(const char* encoding, const char* field, std::size_t value, std::size_t low,
                   std::size_t high) noexcept {
  if (value >= low && value <= high) return {};
  return Status::failure(Code::value_range, field, "%s: %s must be %zu to %zu, got %zu", encoding,
                         field, low, high, value);
}

Status check_number(const char* encoding, const char* field, double value, double low,
                    double high) noexcept {
  if (value >= low && value <= high) return {};
  return Status::failure(Code::value_range, field, "%s: %s must be %s to %s, got %s", encoding,
                         field, NumberText(low).c_str(), NumberText(high).c_str(),
                         NumberText(value).c_str());
}

Status multiply(const char* encoding, const char* field,
                std::initializer_list<std::size_t> dimensions, std::size_t& product) noexcept {
  if (multiply(dimensions, product)) return {};
  return Status::failure(Code::size_limit, field,
                         "%s: %s would have more than %zu elements; split the call", encoding,
                         field, kMaxFloats);
}

Status check_shape(const char* encoding, const char* field, std::size_t size, const char* shape,
                   std::initializer_list<std::size_t> dimensions) noexcept {
  std::size_t expected = 0;
  POSENC_RETURN_IF_FAILED(multiply(encoding, field, dimensions, expected));
  if (size == expected) return {};
  char numbers[96] = "";
  std::size_t used = 0;
  for (std::size_t dimension : dimensions) {
    const char* separator = used == 0 ? "" : " * ";
    const int written =
        std::snprintf(numbers + used, sizeof numbers - used, "%s%zu", separator, dimension);
    if (written < 0 || static_cast<std::size_t>(written) >= sizeof numbers - used) break;
    used += static_cast<std::size_t>(written);
  }
  return Status::failure(Code::shape, field, "%s: %s must have %s = %s = %zu elements, got %zu",
                         encoding, field, shape, numbers, expected, size);
}

Status check_positions(const char* encoding, const char* field, const Positions& positions,
                       double limit) noexcept {
  if (positions.size() == 0) return {};
  if (positions.is_range()) {
    const double first = positions[0];
    const double last = first + static_cast<double>(positions.size() - 1);
    if (!(std::fabs(first) <= limit)) return outside(encoding, field, first, limit);
    if (!(std::fabs(last) <= limit)) return outside(encoding, field, last, limit);
    return {};
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!(std::fabs(positions[i]) <= limit)) return outside(encoding, field, positions[i], limit);
  }
  return {};
}

Status check_whole_positions(const char* encoding, const char* field,
                             const Positions& positions) noexcept {
  POSENC_RETURN_IF_FAILED(check_positions(encoding, field, positions));
  if (positions.is_range()) return {};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == static_cast<double>(static_cast<std::int64_t>(positions[i]))) continue;
    return Status::failure(Code::position_range, field, "%s: %s must be whole numbers, got %s",
                           encoding, field, NumberText(positions[i]).c_str());
  }
  return {};
}

Status check_apart(const char* encoding, const char* field, ConstFloats a, const char* other,
                   ConstFloats b) noexcept {
  return check_apart(encoding, field, a, other,
                     std::span(static_cast<const std::byte*>(b.data()), b.size_bytes()));
}

Status check_apart(const char* encoding, const char* field, ConstFloats a, const char* other,
                   std::span<const std::byte> b) noexcept {
  const std::less<const std::byte*> before;
  const auto* a_first = static_cast<const std::byte*>(a.data());
  const bool apart = a.empty() || b.empty() || !before(a_first, b.data() + b.size()) ||
                     !before(b.data(), a_first + a.size_bytes());
  if (apart) return {};
  return Status::failure(Code::overlap, field, "%s: %s must not overlap %s", encoding, field,
                         other);
}

Status check_apart(const char* encoding, const char* field, ConstFloats a,
                   std::initializer_list<NamedFloats> others) noexcept {
  for (const NamedFloats& other : others) {
    POSENC_RETURN_IF_FAILED(check_apart(encoding, field, a, other.name, other.values));
  }
  return {};
}

}  // namespace posenc::detail
