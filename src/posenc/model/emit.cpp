#include "posenc/model/emit.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"

namespace posenc::detail {

Source derived(std::string_view from) { return {Source::Kind::derived, std::string(from)}; }

Source derived(Pieces from) { return {Source::Kind::derived, join(from)}; }

Source model_code() { return {Source::Kind::model_code, ""}; }

Source class_default() { return {Source::Kind::class_default, ""}; }

void put(ModelEncoding& encoding, std::string_view name, Value value, Source source) {
  encoding.params.push_back({std::string(name), std::move(value), std::move(source)});
}

ModelEncoding& emit(Reading& reading, std::string_view encoding, std::vector<std::int64_t> layers) {
  reading.encodings.push_back(
      {.site = reading.site, .encoding = std::string(encoding), .layers = std::move(layers)});
  return reading.encodings.back();
}

void emit_none(Reading& reading, std::string_view reason, std::vector<std::int64_t> layers) {
  put(emit(reading, "none", std::move(layers)), "reason", reason, model_code());
}

void check_built(const Status& status, const Section& section) {
  if (status.ok()) return;
  section.fail(FindingCode::field_range, status.field(), {status.message()});
}

std::string text_of(double value) { return NumberText(value).c_str(); }

}  // namespace posenc::detail

namespace posenc {

std::string_view site_name(Site site) noexcept {
  constexpr std::string_view kNames[] = {"text", "encoder", "decoder", "vision", "audio"};
  return kNames[static_cast<std::size_t>(site)];
}

std::string_view kind_name(Source::Kind kind) noexcept {
  constexpr std::string_view kNames[] = {"config", "class default", "derived", "model code",
                                         "assumption"};
  return kNames[static_cast<std::size_t>(kind)];
}

const Value* ModelEncoding::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(params, name, &ModelParameter::name);
  return found != params.end() ? &found->value : nullptr;
}

bool ModelEncoding::in_layer(std::int64_t layer) const noexcept {
  return layers.empty() || std::ranges::find(layers, layer) != layers.end();
}

}  // namespace posenc
