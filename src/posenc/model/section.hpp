#pragma once

// Private: typed reading of the fields of one object of a config.json.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/model/encodings.hpp"
#include "posenc/model/finding.hpp"
#include "posenc/model/read_json.hpp"
#include "posenc/model/value.hpp"

namespace posenc::detail {

/// A field's value, where it came from, and the path that an error about it names.
template <class T>
struct Field {
  T value;
  Source source;
  std::string path;

  /// The same field's value after a conversion.
  template <class To>
  Field<To> as(To to) const {
    return {std::move(to), source, path};
  }
};

/// The largest width, head count, ... that is taken for one: what encodings themselves take.
inline constexpr std::int64_t kMaxDims = std::int64_t{1} << 24;
/// The widest head, and the most of them, that a rope's or ALiBi's numbers are told of.
inline constexpr std::int64_t kMaxHead = std::int64_t{1} << 16;
/// Positions up to 2^62: ropes need no table.
inline constexpr std::int64_t kMaxLength = std::int64_t{1} << 62;
/// The most rows that a learned table is taken to have.
inline constexpr std::int64_t kMaxRows = std::int64_t{1} << 31;

/// One object of a config.json and its path. Several spellings of a field are separated by '|'; the
/// first that is there and not null counts. Errors are thrown as Failure.
class Section {
 public:
  /// An object that is not in the file: every field is missing.
  Section(std::vector<Finding>& warnings, std::string path);
  Section(std::vector<Finding>& warnings, const Value& object, std::string path);

  /// The path of a field: "text_config.rope_theta".
  std::string path(std::string_view name) const;
  /// A field that is there and not null, and its name.
  const Value* find(std::string_view spellings, std::string_view* name = nullptr) const;
  bool has(std::string_view spellings) const { return find(spellings) != nullptr; }
  /// Whether a field is there and null.
  bool is_null(std::string_view name) const;

  /// A whole number from `low` to `high`.
  std::optional<Field<std::int64_t>> whole(std::string_view spellings, std::int64_t low,
                                           std::int64_t high) const;
  Field<std::int64_t> whole(std::string_view spellings, std::int64_t fallback, std::int64_t low,
                            std::int64_t high) const;
  /// A number that is finite and from `low` to `high`.
  std::optional<Field<double>> number(std::string_view spellings, double low, double high) const;
  Field<double> number(std::string_view spellings, double fallback, double low, double high) const;
  Field<bool> flag(std::string_view spellings, bool fallback) const;
  std::optional<Field<std::string>> word(std::string_view spellings) const;
  const Value::Array* array(std::string_view spellings, std::string_view* name = nullptr) const;
  std::optional<Section> section(std::string_view spellings) const;
  /// The numbers of an array, each finite and from `low` to `high`.
  std::optional<Field<std::vector<double>>> numbers(std::string_view spellings, double low,
                                                    double high) const;
  std::optional<Field<std::vector<std::int64_t>>> wholes(std::string_view spellings,
                                                         std::int64_t low, std::int64_t high) const;

  /// A width, head count, length: the class default is used with a warning when it is missing.
  Field<std::int64_t> shape(std::string_view spellings, std::int64_t fallback) const;

  void warn(FindingCode code, std::string_view name, Pieces message) const;
  [[noreturn]] void fail(FindingCode code, std::string_view name, Pieces message) const;
  /// Warns that a field has no effect, when it is there.
  void ignore(std::string_view name, std::string_view why) const;

  const Value::Object& members() const noexcept;
  std::vector<Finding>& warnings() const noexcept { return *warnings_; }

 private:
  std::vector<Finding>* warnings_;
  const Value* object_;
  std::string path_;
};

/// A value for a message: numbers and short strings as they are.
std::string shown(const Value& value);

}  // namespace posenc::detail
