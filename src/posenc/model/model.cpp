#include "posenc/model/model.hpp"

#include <cmath>
#include <new>

#include "posenc/model/model_type.hpp"
#include "posenc/model/read_json.hpp"

namespace posenc {
namespace {

using detail::Section;

/// Model types whose name is not in `model_type` but in `architectures`, as in a few published
/// files.
const detail::ModelType* type_by_architecture(const Section& section) {
  const Value::Array* names = section.array("architectures");
  if (names == nullptr || names->empty()) return nullptr;
  const auto* name = names->front().get_if<std::string>();
  return name != nullptr ? detail::find_architecture(*name) : nullptr;
}

const detail::ModelType* type_of(const Section& section) {
  if (const auto name = section.word("model_type")) return detail::find_model_type(name->value);
  const detail::ModelType* type = type_by_architecture(section);
  if (type != nullptr) {
    section.warn(FindingCode::default_used, "model_type",
                 {"model_type is missing; architectures tell that it is ", type->name});
  }
  return type;
}

/// Where a value lies: a member or an item of the value one step further out.
struct Place {
  const Place* outer = nullptr;
  std::string_view key{};
  std::size_t index = 0;
};

/// "text_config.betas[1]"; made for a place that is told alone, since keys can be long and many.
std::string path_of(const Place& place) {
  if (place.outer == nullptr) return {};
  const std::string outer = path_of(*place.outer);
  if (place.key.data() == nullptr) return detail::indexed(outer, place.index);
  return detail::join(
      {outer, outer.empty() ? "" : ".", detail::cut(place.key, detail::kMaxShownKey)});
}

/// Infinities and NaN that no rule has read.
void warn_of_nonfinite(const Value& value, const Place& place, std::vector<Finding>& warnings) {
  if (const double* number = value.get_if<double>(); number != nullptr) {
    if (std::isfinite(*number)) return;
    std::string path = path_of(place);
    std::string message =
        detail::join({path, " is not finite, which JSON cannot hold; it bears on no position"});
    warnings.push_back({FindingCode::nonfinite_ignored, std::move(path), std::move(message)});
  } else if (const auto* object = value.get_if<Value::Object>()) {
    for (const Member& member : *object) {
      warn_of_nonfinite(member.value, {.outer = &place, .key = member.key}, warnings);
    }
  } else if (const auto* array = value.get_if<Value::Array>()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      warn_of_nonfinite((*array)[i], {.outer = &place, .index = i}, warnings);
    }
  }
}

void read_encodings(std::string_view text, std::vector<ModelEncoding>& encodings,
                    std::vector<Finding>& warnings) {
  const Value config = detail::read_json(text, warnings);
  detail::Notes notes(warnings);
  const Section section(notes, config);
  const detail::ModelType* type = type_of(section);
  if (type != nullptr) {
    detail::Reading reading{*type, section, type->site, encodings};
    detail::read_model(reading);
  } else if (section.has("text_config|language_config|llm_config")) {
    detail::read_unknown_parts(encodings, section);
  } else {
    detail::read_unknown(encodings, section);
  }
  warn_of_nonfinite(config, {}, warnings);
}

}  // namespace

Model::Reading Model::read(std::string_view text) {
  Model model;
  try {
    read_encodings(text, model.encodings_, model.warnings_);
  } catch (detail::Failure& failure) {
    return std::move(failure.finding);
  } catch (const Error& error) {
    return Finding{FindingCode::field_range, std::string(error.status().field()),
                   std::string(error.status().message())};
  }
  return model;
}

const ModelEncoding* Model::find(Site site, std::int64_t layer) const noexcept {
  for (const ModelEncoding& encoding : encodings_) {
    if (encoding.site == site && encoding.in_layer(layer)) return &encoding;
  }
  return nullptr;
}

Model Model::Reading::or_throw() && {
  if (!ok()) throw ModelError(std::move(*std::get_if<Finding>(&result_)));
  return std::move(*std::get_if<Model>(&result_));
}

}  // namespace posenc
