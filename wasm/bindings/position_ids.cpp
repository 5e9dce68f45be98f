#include "posenc/core/position_ids.hpp"

#include <emscripten/bind.h>

#include "glue.hpp"

namespace posenc::wasm {
namespace {

int roberta(Address ids, std::size_t tokens, std::size_t batch, double padding_id,
            double past_length, Address out) {
  return guarded([&] {
    return roberta_positions(
        span_of<const std::int32_t>(ids, tokens), batch, static_cast<std::int32_t>(padding_id),
        static_cast<std::int64_t>(past_length), span_of<std::int32_t>(out, tokens));
  });
}

int opt(Address mask, std::size_t tokens, std::size_t batch, std::size_t past_length, double offset,
        Address out, std::size_t size) {
  return guarded([&] {
    return opt_positions(span_of<const std::uint8_t>(mask, tokens), batch, past_length,
                         static_cast<std::int64_t>(offset), span_of<std::int32_t>(out, size));
  });
}

int left_padding(Address mask, std::size_t tokens, std::size_t batch, double masked_value,
                 Address out) {
  return guarded([&] {
    return left_padding_positions(span_of<const std::uint8_t>(mask, tokens), batch,
                                  static_cast<std::int64_t>(masked_value),
                                  span_of<std::int32_t>(out, tokens));
  });
}

int next(Address mask, std::size_t tokens, Address out, std::size_t batch) {
  return guarded([&] {
    return next_positions(span_of<const std::uint8_t>(mask, tokens),
                          span_of<std::int32_t>(out, batch));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(position_ids) {
  emscripten::function("roberta_positions", &roberta);
  emscripten::function("opt_positions", &opt);
  emscripten::function("left_padding_positions", &left_padding);
  emscripten::function("next_positions", &next);
}

}  // namespace posenc::wasm
