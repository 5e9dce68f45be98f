// Models whose positions enter the scores: biases and relative positions.

#include "posenc/model/model_types.hpp"

namespace posenc::detail {
namespace {

constexpr Spelling kT5{.hidden = "d_model|hidden_size",
                       .heads = "num_heads|num_attention_heads",
                       .layers = "num_layers|num_hidden_layers"};
constexpr Spelling kBloom{.hidden = "hidden_size|n_embed",
                          .heads = "n_head|num_attention_heads",
                          .layers = "n_layer|num_hidden_layers",
                          .max_position = "seq_length"};
constexpr Spelling kMpt{.hidden = "d_model|hidden_size",
                        .heads = "n_heads|num_attention_heads",
                        .layers = "n_layers|num_hidden_layers",
                        .max_position = "max_seq_len"};
constexpr Spelling kXl{.hidden = "d_model|hidden_size",
                       .heads = "n_head|num_attention_heads",
                       .layers = "n_layer|num_hidden_layers"};

constexpr ModelType kRows[] = {
    {.name = "bloom", .rule = read_alibi, .shape = {64, 8, 2, 0}, .spelling = kBloom},
    {.name = "mpt",
     .rule = read_mpt,
     .shape = {2048, 16, 24, 2048},
     .spelling = kMpt,
     .table = {.causal = true}},
    {.name = "t5", .rule = read_t5, .shape = {512, 8, 6, 0}, .spelling = kT5},
    {.name = "mt5", .rule = read_t5, .shape = {512, 6, 8, 0}, .spelling = kT5},
    {.name = "umt5", .rule = read_umt5, .shape = {512, 6, 8, 0}, .spelling = kT5},
    {.name = "longt5", .rule = read_t5, .shape = {512, 8, 6, 0}, .spelling = kT5},
    {.name = "switch_transformers", .rule = read_t5, .shape = {768, 12, 12, 0}, .spelling = kT5},
    {.name = "pop2piano", .rule = read_t5, .shape = {512, 8, 6, 0}, .spelling = kT5},
    {.name = "deberta", .rule = read_deberta, .shape = {768, 12, 12, 512}},
    {.name = "deberta-v2", .rule = read_deberta_v2, .shape = {1536, 24, 24, 512}},
    {.name = "transfo-xl",
     .rule = read_transformer_xl,
     .shape = {1024, 16, 18, 0},
     .spelling = kXl},
    {.name = "xlnet", .rule = read_xlnet, .shape = {1024, 16, 24, 0}, .spelling = kXl},
    {.name = "wav2vec2", .rule = read_wav2vec2, .shape = {768, 12, 12, 0}, .site = Site::audio},
    {.name = "hubert", .rule = read_wav2vec2, .shape = {768, 12, 12, 0}, .site = Site::audio},
    {.name = "unispeech", .rule = read_wav2vec2, .shape = {768, 12, 12, 0}, .site = Site::audio},
    {.name = "unispeech-sat",
     .rule = read_wav2vec2,
     .shape = {768, 12, 12, 0},
     .site = Site::audio},
    {.name = "sew", .rule = read_wav2vec2, .shape = {768, 12, 12, 0}, .site = Site::audio},
    {.name = "wavlm", .rule = read_wavlm, .shape = {768, 12, 12, 0}, .site = Site::audio},
    {.name = "wav2vec2-bert",
     .rule = read_wav2vec2_bert,
     .shape = {1024, 16, 24, 0},
     .rope = {.base_names = "rotary_embedding_base", .reads_scaling = false, .causal = false},
     .site = Site::audio},
};

}  // namespace

const std::span<const ModelType> kScoreTypes{kRows};

}  // namespace posenc::detail
