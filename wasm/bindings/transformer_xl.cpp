#include "posenc/relative/transformer_xl.hpp"

#include <emscripten/bind.h>

#include "glue.hpp"

namespace posenc::wasm {
namespace {

Address make_encoding(std::size_t heads, std::size_t head_dim, std::size_t d_model, double base,
                      double clamp_len, Address content_bias, Size content_size,
                      Address position_bias, Size position_size, Address segment_bias,
                      Size segment_bias_size, Address segment_embedding, Size embedding_size) {
  return made<TransformerXl>([&] {
    return TransformerXlConfig{.heads = heads,
                               .head_dim = head_dim,
                               .d_model = d_model,
                               .base = base,
                               .clamp_len = static_cast<std::int64_t>(clamp_len),
                               .content_bias = floats(content_bias, content_size),
                               .position_bias = floats(position_bias, position_size),
                               .segment_bias = floats(segment_bias, segment_bias_size),
                               .segment_embedding = floats(segment_embedding, embedding_size)};
  });
}

int sinusoid_rows(Address self, double first, Address out, Size size) {
  return guarded([&] {
    return at<TransformerXl>(self).rows(static_cast<std::int64_t>(first), floats(out, size));
  });
}

int project(Address self, Address rows, Size row_size, Address weight, Size weight_size,
            Address out, Size size) {
  return guarded([&] {
    return at<TransformerXl>(self).project(floats(rows, row_size), floats(weight, weight_size),
                                           floats(out, size));
  });
}

std::size_t workspace_size(Address self, std::size_t rows) {
  return at<TransformerXl>(self).workspace_size(rows);
}

int scores(Address self, Address q, Size q_size, Address k, Size k_size, Address r, Size r_size,
           double first_distance, unsigned query_kind, double query_first, std::size_t query_count,
           unsigned key_kind, double key_first, std::size_t key_count, double scale,
           Address workspace, std::size_t workspace_floats, Address out, Size size) {
  return guarded([&] {
    return at<TransformerXl>(self).scores(floats(q, q_size), floats(k, k_size), floats(r, r_size),
                                          static_cast<std::int64_t>(first_distance),
                                          positions(query_kind, query_first, query_count),
                                          positions(key_kind, key_first, key_count), scale,
                                          float32(workspace, workspace_floats), float32(out, size));
  });
}

int add_segments(Address self, Address q, Size q_size, Address query_segments,
                 std::size_t query_count, Address key_segments, std::size_t key_count, double scale,
                 Address out, Size size) {
  const auto* queries = reinterpret_cast<const std::int32_t*>(query_segments);
  const auto* keys = reinterpret_cast<const std::int32_t*>(key_segments);
  return guarded([&] {
    return at<TransformerXl>(self).add_segments(floats(q, q_size), {queries, query_count},
                                                {keys, key_count}, scale, float32(out, size));
  });
}

int shift(Address x, Size x_size, std::size_t queries, std::size_t keys, Address out, Size size) {
  return guarded(
      [&] { return relative_shift(floats(x, x_size), queries, keys, floats(out, size)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(transformer_xl) {
  emscripten::function("transformer_xl_make", &make_encoding);
  emscripten::function("transformer_xl_dispose", &disposed<TransformerXl>);
  emscripten::function("transformer_xl_rows", &sinusoid_rows);
  emscripten::function("transformer_xl_project", &project);
  emscripten::function("transformer_xl_workspace_size", &workspace_size);
  emscripten::function("transformer_xl_scores", &scores);
  emscripten::function("transformer_xl_add_segments", &add_segments);
  emscripten::function("relative_shift", &shift);
}

}  // namespace posenc::wasm
