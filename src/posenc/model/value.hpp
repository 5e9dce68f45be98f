#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace posenc {

struct Member;

/// A JSON value: what a config.json holds and what `Model` tells of it.
class Value {
 public:
  using Array = std::vector<Value>;
  /// Members in their order; no key twice.
  using Object = std::vector<Member>;

  Value() noexcept;
  Value(bool value) noexcept;
  Value(std::int64_t value) noexcept;
  Value(int value) noexcept;
  /// Whole numbers beyond 64 bits are doubles; infinities and NaN occur in published files.
  Value(double value) noexcept;
  Value(std::string value) noexcept;
  Value(std::string_view value);
  Value(const char* value);
  Value(Array value) noexcept;
  Value(Object value) noexcept;
  // Defined in the source: code that makes many values is much smaller then.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  bool is_null() const noexcept { return std::holds_alternative<std::monostate>(value_); }
  /// The value as one of bool, std::int64_t, double, std::string, Array, Object, or nullptr.
  template <class T>
  const T* get_if() const noexcept {
    return std::get_if<T>(&value_);
  }
  template <class T>
  T* get_if() noexcept {
    return std::get_if<T>(&value_);
  }

  /// A member of an object by its key; nullptr when there is none or this is no object.
  const Value* find(std::string_view key) const noexcept;

  /// "an object", "a number", ...: what error messages call it.
  std::string_view kind() const noexcept;

  /// Appends JSON without spaces; numbers are the shortest text that reads back. Infinities and NaN
  /// become null.
  void append_json(std::string& text) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

struct Member {
  std::string key;
  Value value;
};

}  // namespace posenc
