#include <emscripten/bind.h>

#include "glue.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/decomposed.hpp"
#include "posenc/relative/pope.hpp"

namespace posenc::wasm {
namespace {

Address cope_make(std::size_t head_dim, std::size_t max_pos, bool causal, Address table,
                  Size table_size) {
  return made<Cope>([&] {
    return CopeConfig{.head_dim = head_dim,
                      .max_pos = max_pos,
                      .table = floats(table, table_size),
                      .causal = causal};
  });
}

int cope_positions(Address self, Address logits, Size logit_size, unsigned query_kind,
                   double query_first, std::size_t query_count, unsigned key_kind, double key_first,
                   std::size_t key_count, Address out, Size size) {
  return guarded([&] {
    return at<Cope>(self).positions(floats(logits, logit_size),
                                    positions(query_kind, query_first, query_count),
                                    positions(key_kind, key_first, key_count), floats(out, size));
  });
}

int cope_scores(Address self, Address q, Size q_size, Address logits, Size logit_size,
                unsigned query_kind, double query_first, std::size_t query_count, unsigned key_kind,
                double key_first, std::size_t key_count, Address out, Size size) {
  return guarded([&] {
    return at<Cope>(self).scores(floats(q, q_size), floats(logits, logit_size),
                                 positions(query_kind, query_first, query_count),
                                 positions(key_kind, key_first, key_count), float32(out, size));
  });
}

Address decomposed_make(std::size_t query_height, std::size_t query_width, std::size_t key_height,
                        std::size_t key_width, std::size_t head_dim, Address table_h, Size h_size,
                        Address table_w, Size w_size) {
  return made<Decomposed>([&] {
    return DecomposedConfig{.query_height = query_height,
                            .query_width = query_width,
                            .key_height = key_height,
                            .key_width = key_width,
                            .head_dim = head_dim,
                            .table_h = floats(table_h, h_size),
                            .table_w = floats(table_w, w_size)};
  });
}

int decomposed_scores(Address self, Address q, Size q_size, Address out, Size size) {
  return guarded(
      [&] { return at<Decomposed>(self).scores(floats(q, q_size), float32(out, size)); });
}

Address pope_make(std::size_t heads, std::size_t head_dim, double base, Address delta,
                  Size delta_size) {
  return made<Pope>([&] {
    return PopeConfig{
        .heads = heads, .head_dim = head_dim, .base = base, .delta = floats(delta, delta_size)};
  });
}

using Embed = Status (Pope::*)(ConstFloats, const Positions&, Floats) const noexcept;

/// `embed_queries` and `embed_keys`.
template <Embed verb>
int pope_embed(Address self, Address x, Size x_size, unsigned kind, double first, std::size_t count,
               Address out, Size size) {
  return guarded([&] {
    return (at<Pope>(self).*verb)(floats(x, x_size), positions(kind, first, count),
                                  floats(out, size));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(contextual) {
  emscripten::function("cope_make", &cope_make);
  emscripten::function("cope_dispose", &disposed<Cope>);
  emscripten::function("cope_positions", &cope_positions);
  emscripten::function("cope_scores", &cope_scores);

  emscripten::function("decomposed_make", &decomposed_make);
  emscripten::function("decomposed_dispose", &disposed<Decomposed>);
  emscripten::function("decomposed_scores", &decomposed_scores);

  emscripten::function("pope_make", &pope_make);
  emscripten::function("pope_dispose", &disposed<Pope>);
  emscripten::function("pope_embed_queries", &pope_embed<&Pope::embed_queries>);
  emscripten::function("pope_embed_keys", &pope_embed<&Pope::embed_keys>);
}

}  // namespace posenc::wasm
