#include <emscripten/bind.h>

#include "glue.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/shaw.hpp"

namespace posenc::wasm {
namespace {

Address shaw_make(std::size_t head_dim, std::size_t max_relative_position, std::size_t value_dim,
                  Address keys, Size key_size, Address values, Size value_size) {
  return made<Shaw>([&] {
    return ShawConfig{.head_dim = head_dim,
                      .max_relative_position = max_relative_position,
                      .keys = floats(keys, key_size),
                      .values = floats(values, value_size),
                      .value_dim = value_dim};
  });
}

int shaw_scores(Address self, Address q, Size q_size, unsigned query_kind, double query_first,
                std::size_t query_count, unsigned key_kind, double key_first, std::size_t key_count,
                double scale, Address out, Size size) {
  return guarded([&] {
    return at<Shaw>(self).scores(floats(q, q_size), positions(query_kind, query_first, query_count),
                                 positions(key_kind, key_first, key_count), scale,
                                 float32(out, size));
  });
}

int shaw_add_values(Address self, Address probabilities, Size probability_size, unsigned query_kind,
                    double query_first, std::size_t query_count, unsigned key_kind,
                    double key_first, std::size_t key_count, Address out, Size size) {
  return guarded([&] {
    return at<Shaw>(self).add_values(floats(probabilities, probability_size),
                                     positions(query_kind, query_first, query_count),
                                     positions(key_kind, key_first, key_count), floats(out, size));
  });
}

Address deberta_make(std::size_t heads, std::size_t head_dim, bool c2p, bool p2c,
                     std::size_t position_buckets, std::size_t max_relative_positions,
                     std::size_t att_span, double norm_eps, Address rel_embeddings,
                     Size rel_embedding_size, Address norm_weight, Size norm_weight_size,
                     Address norm_bias, Size norm_bias_size, Address key_weight,
                     Size key_weight_size, Address key_bias, Size key_bias_size,
                     Address query_weight, Size query_weight_size, Address query_bias,
                     Size query_bias_size) {
  return made<Deberta>([&] {
    return DebertaConfig{.heads = heads,
                         .head_dim = head_dim,
                         .c2p = c2p,
                         .p2c = p2c,
                         .position_buckets = position_buckets,
                         .max_relative_positions = max_relative_positions,
                         .att_span = att_span,
                         .rel_embeddings = floats(rel_embeddings, rel_embedding_size),
                         .norm_weight = floats(norm_weight, norm_weight_size),
                         .norm_bias = floats(norm_bias, norm_bias_size),
                         .norm_eps = norm_eps,
                         .pos_key = {.weight = floats(key_weight, key_weight_size),
                                     .bias = floats(key_bias, key_bias_size)},
                         .pos_query = {.weight = floats(query_weight, query_weight_size),
                                       .bias = floats(query_bias, query_bias_size)}};
  });
}

std::size_t deberta_att_span(Address self) { return at<Deberta>(self).config().att_span; }
double deberta_scale(Address self) { return at<Deberta>(self).scale(); }

/// Distances are within 2^53, which a double holds.
double deberta_bucket(Address self, double distance) {
  return static_cast<double>(at<Deberta>(self).bucket(static_cast<std::int64_t>(distance)));
}

int deberta_scores(Address self, Address q, Size q_size, Address k, Size k_size,
                   unsigned query_kind, double query_first, std::size_t query_count,
                   unsigned key_kind, double key_first, std::size_t key_count, Address out,
                   Size size) {
  return guarded([&] {
    return at<Deberta>(self).scores(floats(q, q_size), floats(k, k_size),
                                    positions(query_kind, query_first, query_count),
                                    positions(key_kind, key_first, key_count), float32(out, size));
  });
}

template <class Encoding>
using Rows = Status (Encoding::*)(const Positions&, const Positions&,
                                  std::span<std::int32_t>) const noexcept;

/// `index` and `relative_positions`: a whole number for every query and key.
template <class Encoding, Rows<Encoding> verb>
int rows(Address self, unsigned query_kind, double query_first, std::size_t query_count,
         unsigned key_kind, double key_first, std::size_t key_count, Address out,
         std::size_t count) {
  return guarded([&] {
    return (at<Encoding>(self).*verb)(positions(query_kind, query_first, query_count),
                                      positions(key_kind, key_first, key_count),
                                      {reinterpret_cast<std::int32_t*>(out), count});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(relative) {
  emscripten::function("shaw_make", &shaw_make);
  emscripten::function("shaw_dispose", &disposed<Shaw>);
  emscripten::function("shaw_index", &rows<Shaw, &Shaw::index>);
  emscripten::function("shaw_scores", &shaw_scores);
  emscripten::function("shaw_add_values", &shaw_add_values);

  emscripten::function("deberta_make", &deberta_make);
  emscripten::function("deberta_dispose", &disposed<Deberta>);
  emscripten::function("deberta_att_span", &deberta_att_span);
  emscripten::function("deberta_scale", &deberta_scale);
  emscripten::function("deberta_bucket", &deberta_bucket);
  emscripten::function("deberta_relative_positions", &rows<Deberta, &Deberta::relative_positions>);
  emscripten::function("deberta_scores", &deberta_scores);
}

}  // namespace posenc::wasm
