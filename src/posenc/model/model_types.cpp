#include "posenc/model/model_types.hpp"

#include <algorithm>
#include <string>

namespace posenc::detail {
namespace {

const std::span<const ModelType> kTables[] = {kRopeTypes,  kRecentRopeTypes, kLayeredRopeTypes,
                                              kTableTypes, kScoreTypes,      kPartTypes};

/// Lower-case letters and digits of a name: "GPTNeoX" and "gpt_neox" are then equal.
std::string bare(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      result += static_cast<char>(c - 'A' + 'a');
    } else if (c != '_' && c != '-') {
      result += c;
    }
  }
  return result;
}

template <class Matches>
const ModelType* find(Matches matches) {
  for (const auto& table : kTables) {
    const auto found = std::ranges::find_if(table, matches);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

constexpr ModelType kGenericRope{
    .rule = read_rope,
    .spelling = {.hidden = "hidden_size|n_embd|d_model",
                 .heads = "num_attention_heads|n_head|n_heads",
                 .layers = "num_hidden_layers|n_layer|n_layers|num_layers",
                 .max_position = "max_position_embeddings|n_positions|max_seq_len|seq_length"},
    .rope = {.base_names = "rope_theta|rotary_emb_base|rope_base",
             .partial_names = "partial_rotary_factor|rotary_pct|rope_pct"}};

constexpr ModelType kGenericAlibi{.rule = read_alibi, .spelling = kGenericRope.spelling};

}  // namespace

const ModelType* find_model_type(std::string_view name) noexcept {
  return find([&](const ModelType& type) { return type.name == name; });
}

const ModelType* find_architecture(std::string_view architecture) noexcept {
  // "LlamaForCausalLM", "T5EncoderModel", "GPTNeoXModel": the model's name comes first.
  std::string_view name = architecture.substr(0, architecture.find("For"));
  for (const std::string_view ending : {"LMHeadModel", "EncoderModel", "Model"}) {
    if (name.ends_with(ending)) {
      name.remove_suffix(ending.size());
      break;
    }
  }
  const std::string wanted = bare(name.substr(0, 64));
  if (wanted.empty()) return nullptr;
  return find([&](const ModelType& type) { return bare(type.name) == wanted; });
}

std::span<const std::span<const ModelType>> model_types() noexcept { return kTables; }

const ModelType& generic_rope() noexcept { return kGenericRope; }

const ModelType& generic_alibi() noexcept { return kGenericAlibi; }

}  // namespace posenc::detail
