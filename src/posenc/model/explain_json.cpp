#include <string>
#include <utility>

#include "posenc/model/explain.hpp"
#include "posenc/model/recipe.hpp"

namespace posenc {
namespace {

Value finding_value(const Finding& finding) {
  return Value::Object{
      {"code", code_name(finding.code)}, {"field", finding.field}, {"message", finding.message}};
}

Value source_value(const Source& source) {
  Value::Object object{{"kind", kind_name(source.kind)}};
  if (!source.from.empty()) object.push_back({"from", source.from});
  return object;
}

Value make_value(const ModelEncoding& encoding) {
  const detail::Recipe recipe = detail::recipe_of(encoding.config);
  if (recipe.class_name.empty()) return {};
  return Value::Object{{"function", recipe.function},
                       {"config", detail::javascript_config(recipe)},
                       {"weights", detail::javascript_weights(recipe)}};
}

Value attention_value(const AttentionRule& rule) {
  Value::Object object;
  if (rule.scale.has_value()) object.push_back({"scale", *rule.scale});
  object.push_back({"causal", rule.causal});
  if (rule.window.has_value()) object.push_back({"window", *rule.window});
  return object;
}

Value encoding_value(const ModelEncoding& encoding) {
  Value::Object params, sources;
  for (const ModelParameter& parameter : encoding.params) {
    params.push_back({parameter.name, parameter.value});
    sources.push_back({parameter.name, source_value(parameter.source)});
  }
  Value layers = "all";
  if (!encoding.layers.empty()) {
    layers = Value::Array(encoding.layers.begin(), encoding.layers.end());
  }
  return Value::Object{{"site", site_name(encoding.site)},
                       {"encoding", encoding.encoding},
                       {"layers", std::move(layers)},
                       {"params", std::move(params)},
                       {"sources", std::move(sources)},
                       {"make", make_value(encoding)},
                       {"attention", attention_value(encoding.attention)}};
}

}  // namespace

Value explain_value(const Model::Reading& reading) {
  if (!reading.ok()) return Value::Object{{"error", finding_value(reading.error())}};
  Value::Array encodings, warnings;
  for (const ModelEncoding& encoding : reading.value().encodings()) {
    encodings.push_back(encoding_value(encoding));
  }
  for (const Finding& warning : reading.value().warnings()) {
    warnings.push_back(finding_value(warning));
  }
  return Value::Object{{"encodings", std::move(encodings)}, {"warnings", std::move(warnings)}};
}

}  // namespace posenc
