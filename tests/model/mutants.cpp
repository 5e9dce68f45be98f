// Changes every value of every row of the table of model types, one at a time, and tells what is
// read then: the program behind mutants.test.mjs.
//
//   model_mutants CASES.json     {"cases": [{"name": "llama", "text": "{...}"}, ...]}
//
// Prints a line of JSON for each changed row:
//   {"name", "member", "given", "told": [[index of a case, what is told], ...]}
// with the first of that model type's cases of which something else is told than before. `given`
// says whether the row itself has the value, and not only by default.

#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/model/explain_value.hpp"
#include "posenc/model/model_type.hpp"
#include "posenc/model/read_json.hpp"

namespace {

using namespace posenc;
using namespace posenc::detail;

/// Texts that changed rows point to.
const char* kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text)).c_str();
}

struct Mutant {
  std::string member;
  bool given;
  ModelType row;
};

/// Makes the mutants of one row, member by member.
class Mutator {
 public:
  explicit Mutator(const ModelType& row) : row_(row) {}

  std::vector<Mutant> take() { return std::move(mutants_); }

  /// A member by how it is reached from a row.
  template <class Get>
  void change(const char* name, Get get) {
    const auto& value = get(row_);
    using T = std::remove_cvref_t<decltype(value)>;
    const bool given = !is_equal(value, get(kUsual));
    for (const auto& [what, other] : others(value, T(get(kUsual)))) {
      mutants_.push_back({std::string(name) + what, given, row_});
      get(mutants_.back().row) = other;
    }
  }

 private:
  static inline const ModelType kUsual{};
  template <class T>
  using Others = std::vector<std::pair<std::string, T>>;

  template <class T>
  static bool is_equal(const T& a, const T& b) {
    return a == b;
  }
  static bool is_equal(const char* a, const char* b) { return std::string_view(a) == b; }

  static Others<std::int32_t> others(std::int32_t value, std::int32_t) {
    return {{"", 2 * value + 2}};
  }
  static Others<double> others(double value, double) {
    return {{"", value == 0.0 ? 0.5 : 2.0 * value}};
  }
  static Others<bool> others(bool value, bool) { return {{"", !value}}; }
  template <class Enum>
    requires std::is_enum_v<Enum>
  static Others<Enum> others(Enum value, Enum usual) {
    // Scales of a field would lack the field.
    if (std::is_same_v<Enum, SoftmaxScale> && value == usual) return {};
    const int next = value == usual ? static_cast<int>(value) + 1 : static_cast<int>(usual);
    return {{"", static_cast<Enum>(next)}};
  }

  /// Each spelling under another name, and each two in turn; an empty name as usual.
  static Others<const char*> others(const char* value, const char* usual) {
    const std::string text = value;
    if (text.starts_with('{')) return other_parameters(text);
    if (text.empty()) {
      return *usual == '\0' ? Others<const char*>{} : Others<const char*>{{" as usual", usual}};
    }
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('|', begin), text.size());
      names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    Others<const char*> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto changed = names;
      changed[i] = "x" + changed[i];
      result.push_back({" without " + names[i], joined(changed)});
      if (i == 0) continue;
      changed = names;
      std::swap(changed[i - 1], changed[i]);
      result.push_back({" with " + names[i] + " first", joined(changed)});
    }
    return result;
  }

  static const char* joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "" : "|").append(name);
    return kept(std::move(text));
  }

  /// JSON with each number doubled and each false true.
  static Others<const char*> other_parameters(const std::string& text) {
    Others<const char*> result;
    const std::string digits = "0123456789";
    for (std::size_t at = text.find(": "); at != std::string::npos; at = text.find(": ", at + 1)) {
      const std::size_t begin = at + 2, end = text.find_first_of(",}", begin);
      const std::string value = text.substr(begin, end - begin);
      std::string other = value == "false" ? "true" : "\"linear\"";
      if (digits.find(value.front()) != std::string::npos) {
        other = std::to_string(2 * std::stol(value));
      }
      result.push_back({" with " + value, kept(text.substr(0, begin) + other + text.substr(end))});
    }
    return result;
  }

  const ModelType& row_;
  std::vector<Mutant> mutants_;
};

#define POSENC_CHANGE(member) mutator.change(#member, [](auto& row) -> auto& { return row.member; })

void change_rope(Mutator& mutator) {
  POSENC_CHANGE(rope.base);
  POSENC_CHANGE(rope.base_names);
  POSENC_CHANGE(rope.layout);
  POSENC_CHANGE(rope.interleaved_names);
  POSENC_CHANGE(rope.head_dim);
  POSENC_CHANGE(rope.head_dim_names);
  POSENC_CHANGE(rope.partial);
  POSENC_CHANGE(rope.partial_names);
  POSENC_CHANGE(rope.rotary_dim);
  POSENC_CHANGE(rope.rotary_dim_names);
  POSENC_CHANGE(rope.nope_dim);
  POSENC_CHANGE(rope.rope_dim);
  POSENC_CHANGE(rope.reads_scaling);
  POSENC_CHANGE(rope.yarn_is_longrope);
  POSENC_CHANGE(rope.original);
  POSENC_CHANGE(rope.usual_parameters);
  POSENC_CHANGE(rope.truncate);
  POSENC_CHANGE(rope.layers);
  POSENC_CHANGE(rope.interval_names);
  POSENC_CHANGE(rope.interval);
  POSENC_CHANGE(rope.last_is_full);
  POSENC_CHANGE(rope.max_window_layers);
  POSENC_CHANGE(rope.window_names);
  POSENC_CHANGE(rope.window);
  POSENC_CHANGE(rope.full_is_nope);
  POSENC_CHANGE(rope.local_base);
  POSENC_CHANGE(rope.local_base_names);
  POSENC_CHANGE(rope.scales_full_only);
  POSENC_CHANGE(rope.full_head_dim_names);
  POSENC_CHANGE(rope.full_head_dim);
  POSENC_CHANGE(rope.sliding_head_dim_names);
  POSENC_CHANGE(rope.softmax);
  POSENC_CHANGE(rope.softmax_names);
  POSENC_CHANGE(rope.softmax_value);
  POSENC_CHANGE(rope.sections[0]);
  POSENC_CHANGE(rope.sections[1]);
  POSENC_CHANGE(rope.sections[2]);
  POSENC_CHANGE(rope.interleaved_sections);
  POSENC_CHANGE(rope.causal);
}

void change_others(Mutator& mutator) {
  POSENC_CHANGE(shape.hidden);
  POSENC_CHANGE(shape.heads);
  POSENC_CHANGE(shape.layers);
  POSENC_CHANGE(shape.max_position);
  POSENC_CHANGE(spelling.hidden);
  POSENC_CHANGE(spelling.heads);
  POSENC_CHANGE(spelling.layers);
  POSENC_CHANGE(spelling.max_position);
  POSENC_CHANGE(table.dim_names);
  POSENC_CHANGE(table.dim);
  POSENC_CHANGE(table.extra_rows);
  POSENC_CHANGE(table.row_offset);
  POSENC_CHANGE(table.after_padding);
  POSENC_CHANGE(table.padding_idx);
  POSENC_CHANGE(table.scales_input);
  POSENC_CHANGE(table.scale_names);
  POSENC_CHANGE(table.variant);
  POSENC_CHANGE(table.causal);
  POSENC_CHANGE(patch.image);
  POSENC_CHANGE(patch.patch);
  POSENC_CHANGE(patch.prefix_tokens);
  POSENC_CHANGE(site);
}

/// A part's model type becomes another one, which has its own width of heads or grid.
void change_part(std::vector<Mutant>& mutants, const ModelType& row, const char* member,
                 const char* PartsRow::* part) {
  if (*(row.parts.*part) == '\0') return;
  mutants.push_back({member, true, row});
  mutants.back().row.parts.*part = "gptj";
}

std::vector<Mutant> mutants_of(const ModelType& row) {
  Mutator mutator(row);
  change_rope(mutator);
  change_others(mutator);
  std::vector<Mutant> mutants = mutator.take();
  change_part(mutants, row, "parts.text", &PartsRow::text);
  change_part(mutants, row, "parts.vision", &PartsRow::vision);
  change_part(mutants, row, "parts.audio", &PartsRow::audio);
  mutants.push_back({"rule", true, row});
  mutants.back().row.rule =
      row.rule == read_recurrent ? read_hybrid_without_positions : read_recurrent;
  return mutants;
}

/// What is told of a text when its model type's row is this one.
std::string told(const std::string& text, const ModelType& row) {
  std::vector<ModelEncoding> encodings;
  std::vector<Finding> warnings;
  Value value;
  try {
    const Value config = read_json(text, warnings);
    Notes notes(warnings);
    Reading reading{row, Section(notes, config), row.site, encodings};
    read_model(reading);
    value = told_value(encodings, warnings);
  } catch (const Failure& failure) {
    value = told_value(failure.finding);
  } catch (const Error& error) {
    value = told_value({FindingCode::field_range, "", std::string(error.status().message())});
  }
  std::string json;
  value.append_json(json);
  return json;
}

struct Case {
  std::int64_t index;
  std::string text;
  std::string told;
};

void print_mutants(const ModelType& row, const std::vector<Case>& cases) {
  constexpr std::size_t kMostTold = 64;
  for (const Mutant& mutant : mutants_of(row)) {
    std::string list;
    std::size_t count = 0;
    for (const Case& each : cases) {
      const std::string now = told(each.text, mutant.row);
      if (now == each.told || count == kMostTold) continue;
      list.append(count++ == 0 ? "" : ",").append("[").append(std::to_string(each.index));
      list.append(",").append(now).append("]");
    }
    std::string member;
    Value(mutant.member).append_json(member);
    std::printf("{\"name\":\"%s\",\"member\":%s,\"given\":%s,\"told\":[%s]}\n", row.name,
                member.c_str(), mutant.given ? "true" : "false", list.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<Finding> warnings;
  const Value input = read_json(text, warnings);
  std::map<std::string, std::vector<Case>> cases;
  std::int64_t index = 0;
  for (const Value& each : *input.find("cases")->get_if<Value::Array>()) {
    const std::string& name = *each.find("name")->get_if<std::string>();
    const std::string& config = *each.find("text")->get_if<std::string>();
    cases[name].push_back({index++, config, told(config, *find_model_type(name))});
  }
  for (const auto& table : model_types()) {
    for (const ModelType& row : table) print_mutants(row, cases[row.name]);
  }
  return 0;
}
