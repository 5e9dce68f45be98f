#include "posenc/model/emit.hpp"

#include <algorithm>

#include "posenc/core/check.hpp"

namespace posenc::detail {

Origin derived(const Section& section, Pieces from) {
  return {Source::Kind::derived, section.keep(from)};
}

void put(ModelEncoding& encoding, const char* name, Value value, const Origin& origin) {
  encoding.params.push_back({name, std::move(value), {origin.kind, origin.from}});
}

void put(ModelEncoding& encoding, const char* name, const char* word, const Origin& origin) {
  put(encoding, name, Value(word), origin);
}

void put(ModelEncoding& encoding, const char* name, bool flag, const Origin& origin) {
  put(encoding, name, Value(flag), origin);
}

void put(ModelEncoding& encoding, const char* name, std::int64_t whole, const Origin& origin) {
  put(encoding, name, Value(whole), origin);
}

void put(ModelEncoding& encoding, const char* name, double number, const Origin& origin) {
  put(encoding, name, Value(number), origin);
}

void put(ModelEncoding& encoding, const char* name, std::span<const double> numbers,
         const Origin& origin) {
  put(encoding, name, Value::Array(numbers.begin(), numbers.end()), origin);
}

void put(ModelEncoding& encoding, const char* name, std::span<const std::int64_t> wholes,
         const Origin& origin) {
  put(encoding, name, Value::Array(wholes.begin(), wholes.end()), origin);
}

ModelEncoding& emit(Reading& reading, const char* encoding, std::vector<std::int64_t> layers) {
  ModelEncoding& added = reading.encodings.emplace_back();
  added.site = reading.site;
  added.encoding = encoding;
  added.layers = std::move(layers);
  return added;
}

void emit_none(Reading& reading, const char* reason, std::vector<std::int64_t> layers) {
  put(emit(reading, "none", std::move(layers)), "reason", reason, kModelCode);
}

void check_built(const Status& status, const Section& section) {
  if (status.ok()) return;
  fail(FindingCode::field_range, section.path(status.field()), {status.message()});
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
