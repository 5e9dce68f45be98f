#pragma once

// Private: typed reading of the fields of one object of a config.json.

#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/model/encodings.hpp"
#include "posenc/model/finding.hpp"
#include "posenc/model/read_json.hpp"
#include "posenc/model/value.hpp"

namespace posenc::detail {

/// What is noted while a config is read: warnings, and texts that live as long as the reading.
class Notes {
 public:
  explicit Notes(std::vector<Finding>& warnings) noexcept : warnings_(&warnings) {}

  void warn(FindingCode code, const char* path, Pieces message);
  const char* keep(Pieces text);

 private:
  std::vector<Finding>* warnings_;
  std::forward_list<std::string> texts_{};
};

/// `Source`, of a text that is a literal or kept by the notes.
struct Origin {
  Source::Kind kind = Source::Kind::config;
  const char* from = "";
};

inline constexpr Origin kModelCode{Source::Kind::model_code};
inline constexpr Origin kClassDefault{Source::Kind::class_default};

/// A field's value, where it came from, and the path that an error about it names.
template <class T>
struct Field {
  T value{};
  Origin source{};
  const char* path = "";

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
  Section(Notes& notes, const Value& object, const char* path = "") noexcept
      : notes_(&notes), object_(&object), path_(path) {}

  /// The path of a field: "text_config.rope_theta".
  const char* path(std::string_view name) const;
  const char* path(const char* name) const;
  const char* path() const noexcept { return path_; }
  /// Keeps a text as long as the reading.
  const char* keep(Pieces text) const { return notes_->keep(text); }

  /// A field that is there and not null, and its name.
  const Value* find(const char* spellings, std::string_view* name = nullptr) const;
  bool has(const char* spellings) const { return find(spellings) != nullptr; }
  /// Whether a field is there and null.
  bool is_null(const char* name) const;

  /// A whole number from `low` to `high`.
  std::optional<Field<std::int64_t>> whole(const char* spellings, std::int64_t low,
                                           std::int64_t high) const;
  Field<std::int64_t> whole(const char* spellings, std::int64_t fallback, std::int64_t low,
                            std::int64_t high) const;
  /// A number that is finite and from `low` to `high`.
  std::optional<Field<double>> number(const char* spellings, double low, double high) const;
  Field<double> number(const char* spellings, double fallback, double low, double high) const;
  Field<bool> flag(const char* spellings, bool fallback) const;
  std::optional<Field<std::string_view>> word(const char* spellings) const;
  const Value::Array* array(const char* spellings, std::string_view* name = nullptr) const;
  std::optional<Section> section(const char* spellings) const;
  /// A field as if it held an object.
  Section as_if(const char* name, const Value& object) const {
    return Section(*notes_, object, path(name));
  }
  /// That object, or one without fields where it is missing.
  Section section_or_empty(const char* name) const;
  /// The numbers of an array, each finite and from `low` to `high`.
  std::optional<Field<std::vector<double>>> numbers(const char* spellings, double low,
                                                    double high) const;
  std::optional<Field<std::vector<std::int64_t>>> wholes(const char* spellings, std::int64_t low,
                                                         std::int64_t high) const;

  /// A width, head count, length: the class default is used with a warning when it is missing.
  Field<std::int64_t> shape(const char* spellings, std::int64_t fallback) const;

  void warn(FindingCode code, const char* name, Pieces message) const;
  void warn_at(FindingCode code, const char* path, Pieces message) const;
  [[noreturn]] void fail(FindingCode code, const char* name, Pieces message) const;
  /// Warns that a field has no effect, when it is there.
  void ignore(const char* name, const char* why) const;

  const Value::Object& members() const noexcept;

 private:
  template <class T>
  Field<T> given(T value, std::string_view name) const;
  /// The class default, by the first of the field's spellings.
  template <class T>
  Field<T> fallen_back(T value, const char* spellings) const;

  Notes* notes_;
  const Value* object_;
  const char* path_;
};

/// A value for a message: numbers and short strings as they are.
std::string shown(const Value& value);

}  // namespace posenc::detail
