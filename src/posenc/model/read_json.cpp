#include "posenc/model/read_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace posenc::detail {
namespace {

constexpr std::size_t kMaxText = std::size_t{16} << 20, kMaxValues = std::size_t{1} << 18;
constexpr std::size_t kMaxDepth = 32;

using Json = nlohmann::json;

/// Numbers that JSON cannot spell travel through its parser as strings that begin with a mark.
constexpr std::string_view kSpellings[] = {"NaN", "Infinity", "-Infinity"};
constexpr char kMark = '\x01';

/// The text with bare NaN, Infinity and -Infinity as marked strings.
std::string with_marks(std::string_view text) {
  std::string result;
  result.reserve(text.size() + 16);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"') quoted = false;
      if (c == '\\' && i + 1 < text.size()) result += text[i++];
      result += text[i];
      continue;
    }
    const auto* found = std::ranges::find_if(
        kSpellings, [&](std::string_view name) { return text.substr(i).starts_with(name); });
    if (found != std::end(kSpellings)) {
      result.append("\"\\u0001").append(*found).append("\"");
      i += found->size() - 1;
      continue;
    }
    quoted = c == '"';
    result += c;
  }
  return result;
}

/// The value of a string: the number that it stands for when it is a marked one.
Value unmarked(std::string& text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNumbers[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity};
  for (std::size_t i = 0; text.starts_with(kMark) && i < std::size(kSpellings); ++i) {
    if (std::string_view(text).substr(1) == kSpellings[i]) return kNumbers[i];
  }
  return std::move(text);
}

/// Builds values from the parser's events.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::vector<Finding>& warnings) : warnings_(warnings) {}

  Value take() { return std::move(root_); }

  bool null() override { return add(Value{}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value <= kMost) return add(static_cast<std::int64_t>(value));
    return add(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(unmarked(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Value::Object{}); }
  bool start_array(std::size_t) override { return open(Value::Array{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (name.starts_with(kMark)) {
      fail(FindingCode::json_syntax, "$",
           {"not valid JSON: a key must be a string, got ",
            cut(std::string_view(name).substr(1), kMaxShownKey)});
    }
    Level& level = levels_.back();
    auto& object = *level.container.get_if<Value::Object>();
    const auto [place, is_new] = level.places.try_emplace(name, object.size());
    level.place = place->second;
    if (is_new) {
      object.push_back({std::move(name), Value{}});
    } else {
      warnings_.push_back({FindingCode::duplicate_key, path(),
                           "the key occurs more than once; the last one counts, as in Python"});
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    if (error.id == 406) {
      fail(FindingCode::json_number_range, path().c_str(),
           {"the number is too large for a double"});
    }
    fail(FindingCode::json_syntax, "$",
         {"not valid JSON near byte ", position, detail_of(error.what())});
  }

 private:
  struct Level {
    Value container;
    std::map<std::string, std::size_t> places{};
    std::size_t place = 0;
  };

  /// The part of the parser's message that tells what was found. It quotes the text as it is, which
  /// need not be UTF-8: what is no ASCII becomes '?'.
  static std::string detail_of(std::string_view what) {
    const std::size_t at = what.find(" - ");
    if (at == std::string_view::npos) return "";
    std::string text = join({": ", what.substr(at + 3, 120)});
    for (char& byte : text) byte = byte >= ' ' && byte <= '~' ? byte : '?';
    return text;
  }

  /// The path of the value that is read next.
  std::string path() const {
    std::string text;
    for (const Level& level : levels_) {
      if (const auto* object = level.container.get_if<Value::Object>()) {
        if (object->empty()) break;
        if (!text.empty()) text += '.';
        text += cut((*object)[level.place].key, kMaxShownKey);
      } else {
        const auto& array = *level.container.get_if<Value::Array>();
        text.append("[").append(std::to_string(array.size())).append("]");
      }
    }
    return text.empty() ? "$" : text;
  }

  bool add(Value value) {
    if (++count_ > kMaxValues) {
      fail(FindingCode::limit, "$", {"the text has more than ", kMaxValues, " values"});
    }
    place(std::move(value));
    return true;
  }

  void place(Value value) {
    if (levels_.empty()) {
      root_ = std::move(value);
    } else if (auto* object = levels_.back().container.get_if<Value::Object>()) {
      (*object)[levels_.back().place].value = std::move(value);
    } else {
      levels_.back().container.get_if<Value::Array>()->push_back(std::move(value));
    }
  }

  bool open(Value container) {
    if (levels_.size() == kMaxDepth) {
      const std::string deep = path();
      const std::string first = deep.substr(0, deep.find_first_of(".["));
      fail(FindingCode::json_depth, first.empty() ? "$" : first.c_str(),
           {"values are nested more than ", kMaxDepth, " deep"});
    }
    levels_.push_back({.container = std::move(container)});
    return true;
  }

  bool close() {
    Value value = std::move(levels_.back().container);
    levels_.pop_back();
    return add(std::move(value));
  }

  std::vector<Finding>& warnings_;
  std::vector<Level> levels_{};
  Value root_{};
  std::size_t count_ = 0;
};

}  // namespace

void fail(FindingCode code, const char* field, Pieces message) {
  throw Failure{{code, field, join(message)}};
}

Value read_json(std::string_view text, std::vector<Finding>& warnings) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.size() > kMaxText) {
    fail(FindingCode::limit, "$",
         {"a config.json must be at most ", kMaxText, " bytes, got ", text.size()});
  }
  // Its parser takes a zero byte for the end of the text.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fail(FindingCode::json_syntax, "$", {"not valid JSON near byte ", zero + 1, ": a zero byte"});
  }
  Builder builder(warnings);
  Json::sax_parse(with_marks(text), &builder);
  Value value = builder.take();
  if (value.get_if<Value::Object>() != nullptr) return value;
  fail(FindingCode::json_not_object, "$",
       {"a config.json must hold an object, got ", value.kind()});
}

}  // namespace posenc::detail
