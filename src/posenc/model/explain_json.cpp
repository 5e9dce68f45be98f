#include <string>
#include <utility>

#include "posenc/model/explain.hpp"
#include "posenc/model/explain_value.hpp"
#include "posenc/model/recipe.hpp"

namespace posenc {
namespace {

/// Adds a member. Not by a braced list, from which a vector copies its items.
void add(Value::Object& object, std::string_view key, Value value) {
  object.push_back({std::string(key), std::move(value)});
}

Value finding_value(const Finding& finding) {
  Value::Object object;
  add(object, "code", code_name(finding.code));
  add(object, "field", finding.field);
  add(object, "message", finding.message);
  return object;
}

Value source_value(const Source& source) {
  Value::Object object;
  add(object, "kind", kind_name(source.kind));
  if (!source.from.empty()) add(object, "from", source.from);
  return object;
}

Value make_value(const ModelEncoding& encoding) {
  const detail::Recipe recipe = detail::recipe_of(encoding.config);
  if (recipe.class_name.empty()) return {};
  Value::Object object;
  add(object, "function", recipe.function);
  add(object, "config", detail::javascript_config(recipe));
  add(object, "weights", detail::javascript_weights(recipe));
  return object;
}

Value attention_value(const AttentionRule& rule) {
  Value::Object object;
  if (rule.scale.has_value()) add(object, "scale", *rule.scale);
  add(object, "causal", rule.causal);
  if (rule.window.has_value()) add(object, "window", *rule.window);
  return object;
}

Value encoding_value(const ModelEncoding& encoding) {
  Value::Object params, sources;
  for (const ModelParameter& parameter : encoding.params) {
    add(params, parameter.name, parameter.value);
    add(sources, parameter.name, source_value(parameter.source));
  }
  Value layers = "all";
  if (!encoding.layers.empty()) {
    layers = Value::Array(encoding.layers.begin(), encoding.layers.end());
  }
  Value::Object object;
  add(object, "site", site_name(encoding.site));
  add(object, "encoding", encoding.encoding);
  add(object, "layers", std::move(layers));
  add(object, "params", std::move(params));
  add(object, "sources", std::move(sources));
  add(object, "make", make_value(encoding));
  add(object, "attention", attention_value(encoding.attention));
  return object;
}

}  // namespace

Value detail::told_value(std::span<const ModelEncoding> encodings,
                         std::span<const Finding> warnings) {
  Value::Array told_encodings, told_warnings;
  for (const ModelEncoding& encoding : encodings) {
    told_encodings.push_back(encoding_value(encoding));
  }
  for (const Finding& warning : warnings) told_warnings.push_back(finding_value(warning));
  Value::Object object;
  add(object, "encodings", std::move(told_encodings));
  add(object, "warnings", std::move(told_warnings));
  return object;
}

Value detail::told_value(const Finding& error) {
  Value::Object object;
  add(object, "error", finding_value(error));
  return object;
}

Value explain_value(const Model::Reading& reading) {
  if (!reading.ok()) return detail::told_value(reading.error());
  return detail::told_value(reading.value().encodings(), reading.value().warnings());
}

}  // namespace posenc
