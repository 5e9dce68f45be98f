// Models whose positions enter the scores: biases and relative positions.

#include "posenc/model/model_types.hpp"

namespace posenc::detail {
namespace {

constexpr Spelling kT5{.heads = "num_heads|num_attention_heads"};
constexpr Spelling kBloom{.heads = "n_head|num_attention_heads"};
constexpr Spelling kMpt{.hidden = "d_model|hidden_size",
                        .heads = "n_heads|num_attention_heads",
                        .max_position = "max_seq_len"};
constexpr Spelling kXl{.hidden = "d_model|hidden_size", .heads = "n_head|num_attention_heads"};

constexpr ModelType kRows[] = {
    {.name = "bloom", .rule = read_alibi, .shape = {.heads = 8}, .spelling = kBloom},
    {.name = "mpt",
     .rule = read_mpt,
     .shape = {.hidden = 2048, .heads = 16, .max_position = 2048},
     .spelling = kMpt,
     .table = {.causal = true}},
    {.name = "t5", .rule = read_t5, .shape = {.heads = 8}, .spelling = kT5},
    {.name = "mt5", .rule = read_t5, .shape = {.heads = 6}, .spelling = kT5},
    {.name = "umt5", .rule = read_umt5, .shape = {.heads = 6}, .spelling = kT5},
    {.name = "longt5", .rule = read_t5, .shape = {.heads = 8}, .spelling = kT5},
    {.name = "switch_transformers", .rule = read_t5, .shape = {.heads = 12}, .spelling = kT5},
    {.name = "pop2piano", .rule = read_t5, .shape = {.heads = 8}, .spelling = kT5},
    {.name = "deberta",
     .rule = read_deberta,
     .shape = {.hidden = 768, .heads = 12, .max_position = 512}},
    {.name = "deberta-v2",
     .rule = read_deberta_v2,
     .shape = {.hidden = 1536, .heads = 24, .max_position = 512}},
    {.name = "transfo-xl",
     .rule = read_transformer_xl,
     .shape = {.hidden = 1024, .heads = 16},
     .spelling = kXl},
    {.name = "xlnet", .rule = read_xlnet, .shape = {.hidden = 1024, .heads = 16}, .spelling = kXl},
    {.name = "wav2vec2", .rule = read_wav2vec2, .site = Site::audio},
    {.name = "hubert", .rule = read_wav2vec2, .site = Site::audio},
    {.name = "unispeech", .rule = read_wav2vec2, .site = Site::audio},
    {.name = "unispeech-sat", .rule = read_wav2vec2, .site = Site::audio},
    {.name = "sew", .rule = read_wav2vec2, .site = Site::audio},
    {.name = "wavlm", .rule = read_wavlm, .shape = {.heads = 12}, .site = Site::audio},
    {.name = "wav2vec2-bert",
     .rule = read_wav2vec2_bert,
     .shape = {.hidden = 1024, .heads = 16},
     .rope = {.base_names = "rotary_embedding_base", .reads_scaling = false, .causal = false},
     .site = Site::audio},
};

}  // namespace

const std::span<const ModelType> kScoreTypes{kRows};

}  // namespace posenc::detail
