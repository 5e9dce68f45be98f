#include "posenc/model/python_terms.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "posenc/model/emit.hpp"

namespace posenc::detail {
namespace {

/// A number or word of Python.
std::string literal(const Value& value) {
  if (const bool* flag = value.get_if<bool>()) return *flag ? "True" : "False";
  if (value.is_null()) return "None";
  const auto* array = value.get_if<Value::Array>();
  constexpr std::size_t kLongest = 4;
  if (array != nullptr && array->size() > kLongest) {
    return join({"[", literal(array->front()), ", ...]"});
  }
  std::string text;
  value.append_json(text);
  return text;
}

std::string text_of_param(const ModelEncoding& encoding, std::string_view name) {
  const Value* value = encoding.find(name);
  return value != nullptr ? literal(*value) : "None";
}

/// The names of transformers' rope_parameters for those of `params`.
std::string_view transformers_name(std::string_view name) {
  if (name == "type") return "rope_type";
  if (name == "original_max_position") return "original_max_position_embeddings";
  return name;
}

std::string rope_parameters(const ModelEncoding& encoding) {
  std::string text = "rope_parameters = {";
  const Value* scaling = encoding.find("scaling");
  const auto* members = scaling != nullptr ? scaling->get_if<Value::Object>() : nullptr;
  if (members == nullptr) {
    text += "\"rope_type\": \"default\", ";
  } else {
    for (const Member& member : *members) {
      const auto* word = member.value.get_if<std::string>();
      const bool is_none = word != nullptr && *word == "none";
      text.append("\"").append(transformers_name(member.key)).append("\": ");
      text += is_none ? "\"default\"" : literal(member.value);
      text += ", ";
    }
  }
  return join({text, "\"rope_theta\": ", text_of_param(encoding, "base"), "}"});
}

/// Code with parameters in braces.
struct Term {
  std::string_view encoding;
  std::string_view code;
};

constexpr Term kTerms[] = {
    {"learned", "nn.Embedding({rows}, {dim})"},
    {"sinusoidal", "torch.arange({rows})[:, None] * {base} ** -exponent, exponent = {exponent}"},
    {"sincos2d", "torch.cat([sin(y), cos(y), sin(x), cos(x)], -1)"},
    {"alibi", "slopes[:, None] * torch.arange(length), slopes for {heads} heads"},
    {"t5_bias", "nn.Embedding({num_buckets}, {heads})"},
    {"shaw", "nn.Embedding({rows}, {dim})"},
    {"deberta", "nn.Embedding({table_rows}, {heads} * {head_dim})"},
    {"transformer_xl", "torch.cat([sin, cos], -1) of klen-1, ..., -qlen+1"},
    {"swin_bias", "nn.Parameter(torch.zeros({table_rows}, heads))"},
    {"swin_cpb", "16 * torch.sigmoid(mlp(relative_coords_table))"},
    {"decomposed_rel_pos", "nn.Parameter(torch.zeros({rows_per_axis}, {dim}))"},
};

std::string filled(std::string_view code, const ModelEncoding& encoding) {
  std::string text;
  while (!code.empty()) {
    const std::size_t open = code.find('{');
    text += code.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = code.find('}', open);
    text += text_of_param(encoding, code.substr(open + 1, close - open - 1));
    code.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

std::string python_terms(const ModelEncoding& encoding) {
  const auto* term =
      std::ranges::find(kTerms, std::string_view(encoding.encoding), &Term::encoding);
  return term != std::end(kTerms) ? filled(term->code, encoding) : rope_parameters(encoding);
}

}  // namespace posenc::detail
