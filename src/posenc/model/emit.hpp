#pragma once

// Private: building encodings of a model.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "posenc/model/message.hpp"
#include "posenc/model/model_type.hpp"

namespace posenc::detail {

constexpr Origin derived(const char* from) { return {Source::Kind::derived, from}; }
Origin derived(const Section& section, Pieces from);

/// Adds an encoding of the reading's site for some layers (empty: all).
ModelEncoding& emit(Reading& reading, const char* encoding, std::vector<std::int64_t> layers = {});

/// Adds that some layers have no positions.
void emit_none(Reading& reading, const char* reason, std::vector<std::int64_t> layers = {});

/// Adds a parameter. One overload per type: rules put hundreds of them, and code that makes a Value
/// for each is large.
void put(ModelEncoding& encoding, const char* name, Value value, const Origin& origin);
void put(ModelEncoding& encoding, const char* name, const char* word, const Origin& origin);
void put(ModelEncoding& encoding, const char* name, bool flag, const Origin& origin);
void put(ModelEncoding& encoding, const char* name, std::int64_t whole, const Origin& origin);
void put(ModelEncoding& encoding, const char* name, double number, const Origin& origin);
void put(ModelEncoding& encoding, const char* name, std::span<const double> numbers,
         const Origin& origin);
void put(ModelEncoding& encoding, const char* name, std::span<const std::int64_t> wholes,
         const Origin& origin);
template <class T>
void put(ModelEncoding& encoding, const char* name, const Field<T>& field) {
  put(encoding, name, field.value, field.source);
}

/// `check` of what was built, with the field's path in the config: a last net, since rules name the
/// fields themselves.
void check_built(const Status& status, const Section& section);

std::string text_of(double value);

}  // namespace posenc::detail
