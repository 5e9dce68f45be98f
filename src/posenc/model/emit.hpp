#pragma once

// Private: building encodings of a model.

#include <string>
#include <utility>
#include <vector>

#include "posenc/model/message.hpp"
#include "posenc/model/model_type.hpp"

namespace posenc::detail {

Source derived(std::string_view from);
Source derived(Pieces from);
Source model_code();
Source class_default();

/// Adds an encoding of the reading's site for some layers (empty: all).
ModelEncoding& emit(Reading& reading, std::string_view encoding,
                    std::vector<std::int64_t> layers = {});

/// Adds that some layers have no positions.
void emit_none(Reading& reading, std::string_view reason, std::vector<std::int64_t> layers = {});

void put(ModelEncoding& encoding, std::string_view name, Value value, Source source);
template <class T>
void put(ModelEncoding& encoding, std::string_view name, const Field<T>& field) {
  put(encoding, name, Value(field.value), field.source);
}

/// `check` of what was built, with the field's path in the config: a last net, since rules name the
/// fields themselves.
void check_built(const Status& status, const Section& section);

std::string text_of(double value);

}  // namespace posenc::detail
