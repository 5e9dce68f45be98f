// The page that `posenc explain` prints.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "posenc/model/emit.hpp"
#include "posenc/model/explain.hpp"
#include "posenc/model/python_terms.hpp"
#include "posenc/model/recipe.hpp"

namespace posenc {
namespace {

struct Formula {
  std::string_view encoding;
  std::string_view text;
};

constexpr Formula kFormulas[] = {
    {"rope", "pair i of q and k turns by position * inv_freq[i]"},
    {"mrope", "pair i of q and k turns by its axis's position * inv_freq[i]"},
    {"axial_rope", "pairs turn by the patch's row or column * inv_freq[i]"},
    {"learned", "x[n] += table[n + row_offset]"},
    {"sinusoidal", "x[n] += sin and cos of n * base^-exponent"},
    {"sincos2d", "sin and cos of the patch's row and column"},
    {"alibi", "score += -slope[head] * distance"},
    {"t5_bias", "score += table[bucket(key - query)][head]"},
    {"deberta", "score += q . K[bucket] (c2p) + k . Q[bucket] (p2c)"},
    {"shaw", "score += q . rows[clip(key - query)]"},
    {"transformer_xl", "score += (q + v) . r[query - key], and u . k"},
    {"swin_bias", "score += table[offset within the window][head]"},
    {"swin_cpb", "score += 16 sigmoid(mlp(log-spaced offset))[head]"},
    {"decomposed_rel_pos", "score += q . Rh[row offset] + q . Rw[column offset]"},
    {"convolutional", "x += gelu(convolution(x)) over the sequence"},
    {"none", "nothing is added"},
};

std::string_view formula_of(std::string_view encoding) {
  const auto* found = std::ranges::find(kFormulas, encoding, &Formula::encoding);
  return found != std::end(kFormulas) ? found->text : std::string_view();
}

/// 0, 1, 2, 5 as "0-2, 5".
std::string ranges_of(const std::vector<std::int64_t>& layers) {
  std::string text;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t last = i;
    while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(layers[i]);
    if (last > i) text.append("-").append(std::to_string(layers[last]));
    i = last + 1;
  }
  return text;
}

/// A value for a reader: long arrays show how they begin and end.
std::string shown_value(const Value& value) {
  constexpr std::size_t kLongest = 8, kShown = 3;
  const auto* array = value.get_if<Value::Array>();
  if (array != nullptr && array->size() > kLongest) {
    std::string text = "[";
    for (std::size_t i = 0; i < kShown; ++i) text += shown_value((*array)[i]) + ", ";
    return text + "..., " + shown_value(array->back()) + "] (" + std::to_string(array->size()) +
           ")";
  }
  if (const auto* word = value.get_if<std::string>()) return *word;
  const auto* object = value.get_if<Value::Object>();
  if (object == nullptr) {
    std::string text;
    value.append_json(text);
    return text;
  }
  std::string text;
  for (const Member& member : *object) {
    if (!text.empty()) text += ", ";
    text.append(member.key).append(" ").append(shown_value(member.value));
  }
  return text;
}

std::string shown_source(const Source& source) {
  if (source.kind == Source::Kind::config || source.kind == Source::Kind::derived) {
    return source.from;
  }
  std::string text(kind_name(source.kind));
  if (!source.from.empty()) text.append(": ").append(source.from);
  return text;
}

void append_padded(std::string& page, std::string_view text, std::size_t width) {
  page += text;
  page.append(text.size() < width ? width - text.size() : 1, ' ');
}

void append_code(std::string& page, const ModelEncoding& encoding) {
  constexpr std::size_t kLanguage = 12;
  const detail::Recipe recipe = detail::recipe_of(encoding.config);
  if (recipe.class_name.empty()) return;
  page += "  ";
  append_padded(page, "C++", kLanguage);
  page += detail::cpp_code(recipe) + "\n  ";
  append_padded(page, "JavaScript", kLanguage);
  page += detail::javascript_code(recipe) + "\n  ";
  append_padded(page, "Python", kLanguage);
  page += detail::python_terms(encoding) + "\n";
  if (recipe.weights.empty()) return;
  page += "  ";
  append_padded(page, "weights", kLanguage);
  std::string_view separator;
  for (const std::string_view name : recipe.weights) {
    page.append(separator).append(name);
    separator = ", ";
  }
  page += " come from the checkpoint\n";
}

void append_encoding(std::string& page, const ModelEncoding& encoding) {
  constexpr std::size_t kName = 22, kValue = 26;
  page.append("\n").append(site_name(encoding.site));
  page += encoding.layers.empty() ? ", all layers" : ", layers " + ranges_of(encoding.layers);
  page.append(": ").append(encoding.encoding).append("\n  ");
  page.append(formula_of(encoding.encoding)).append("\n");
  for (const ModelParameter& parameter : encoding.params) {
    page += "  ";
    append_padded(page, parameter.name, kName);
    append_padded(page, shown_value(parameter.value), kValue);
    page += " <- " + shown_source(parameter.source) + "\n";
  }
  if (const Value* length = encoding.find("max_position")) {
    page += "  effective context length: " + shown_value(*length) + " positions\n";
  }
  append_code(page, encoding);
}

}  // namespace

std::string explain_page(const Model::Reading& reading, std::string_view title) {
  std::string page(title);
  page += '\n';
  if (!reading.ok()) {
    const Finding& error = reading.error();
    page.append("\nerror ").append(code_name(error.code)).append(" at ").append(error.field);
    return page + "\n  " + error.message + "\n";
  }
  for (const ModelEncoding& encoding : reading.value().encodings()) {
    append_encoding(page, encoding);
  }
  if (reading.value().warnings().empty()) return page;
  page += "\nwarnings\n";
  for (const Finding& warning : reading.value().warnings()) {
    page.append("  ").append(code_name(warning.code)).append(" at ").append(warning.field);
    page += "\n    " + warning.message + "\n";
  }
  return page;
}

}  // namespace posenc
