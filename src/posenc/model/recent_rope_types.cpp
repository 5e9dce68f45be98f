// Models with one rope for all layers that are newer than rope_types.cpp's. Class defaults:
// transformers 4.57.

#include "posenc/model/model_types.hpp"

namespace posenc::detail {
namespace {

constexpr ModelType kRows[] = {
    {.name = "arcee", .rule = read_rope, .shape = {2560, 32, 32, 4096}},
    {.name = "seed_oss",
     .rule = read_rope,
     .shape = {.layers = 64, .max_position = 524288},
     .rope = {.head_dim = 128}},
    {.name = "ernie4_5",
     .rule = read_rope,
     .shape = {.layers = 18, .max_position = 131072},
     .rope = {.base = 5e5, .layout = RopeLayout::interleaved, .head_dim = 128}},
    {.name = "ernie4_5_moe",
     .rule = read_rope,
     .shape = {2560, 20, 28, 131072},
     .rope = {.base = 5e5, .layout = RopeLayout::interleaved}},
    {.name = "helium",
     .rule = read_rope,
     .shape = {.layers = 24, .max_position = 4096},
     .rope = {.base = 1e5, .layout = RopeLayout::interleaved, .head_dim = 128}},
    {.name = "apertus",
     .rule = read_rope,
     .shape = {4096, 32, 32, 65536},
     .rope = {.base = 1.2e7,
              .usual_parameters = R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
                  "high_freq_factor": 4, "original_max_position_embeddings": 8192})"}},
    {.name = "bitnet", .rule = read_rope, .shape = {2560, 20, 30, 2048}, .rope = {.base = 5e5}},
    {.name = "diffllama", .rule = read_rope, .shape = {2048, 32, 16, 2048}},
    {.name = "flex_olmo", .rule = read_rope, .shape = {4096, 32, 32, 4096}, .rope = {.base = 5e5}},
    {.name = "granitemoeshared",
     .rule = read_rope,
     .shape = {4096, 32, 32, 2048},
     .rope = {.softmax = SoftmaxScale::field,
              .softmax_names = "attention_multiplier",
              .softmax_value = 1.0}},
    {.name = "jetmoe",
     .rule = read_rope,
     .shape = {.layers = 12, .max_position = 4096},
     .rope = {.head_dim = 128, .head_dim_names = "kv_channels"}},
    {.name = "phi4_multimodal",
     .rule = read_rope,
     .shape = {3072, 32, 32, 131072},
     .rope = {.yarn_is_longrope = true, .original = 4096}},
    {.name = "aria_text", .rule = read_rope, .shape = {4096, 32, 32, 2048}},
    {.name = "chameleon", .rule = read_rope, .shape = {4096, 32, 32, 4096}},
    {.name = "emu3_text_model",
     .rule = read_rope,
     .shape = {4096, 32, 32, 9216},
     .rope = {.base = 1e6}},
    {.name = "qwen3_vl_moe", .rule = read_parts, .parts = {"qwen3_vl_moe_text", "qwen3_vl_vision"}},
    {.name = "qwen3_vl_moe_text",
     .rule = read_rope,
     .shape = {2048, 16, 24, 128000},
     .rope = {.base = 5e6, .sections = {24, 20, 20}, .interleaved_sections = true}},
};

}  // namespace

const std::span<const ModelType> kRecentRopeTypes{kRows};

}  // namespace posenc::detail
