// Random configs and shapes, half of them wrong, through the verbs of every encoding.
//
//   fuzz_configs [--seed TEXT] [--count N] [--only ENCODING] [--trial N]

#include <cstdio>
#include <cstdlib>
#include <span>

#include "runner.hpp"

namespace {

using posenc::fuzz::Options;
using posenc::fuzz::Tally;

struct Encoding {
  const char* name;
  Tally (*run)(const Options&);
};
constexpr Encoding kEncodings[] = {
    {"sinusoidal", posenc::fuzz::fuzz_sinusoidal},
    {"learned", posenc::fuzz::fuzz_learned},
    {"hierarchical", posenc::fuzz::fuzz_hierarchical},
    {"multiscale", posenc::fuzz::fuzz_multiscale},
    {"sincos_grid", posenc::fuzz::fuzz_sincos_grid},
    {"detr_sine", posenc::fuzz::fuzz_detr_sine},
    {"layout_boxes", posenc::fuzz::fuzz_layout_boxes},
    {"interpolate", posenc::fuzz::fuzz_interpolate},
    {"rope", posenc::fuzz::fuzz_rope},
    {"rope_forms", posenc::fuzz::fuzz_rope_forms},
    {"permute_pairs", posenc::fuzz::fuzz_permute_pairs},
    {"position_ids", posenc::fuzz::fuzz_position_ids},
    {"ragged_positions", posenc::fuzz::fuzz_ragged_positions},
    {"grid_positions", posenc::fuzz::fuzz_grid_positions},
    {"mrope_positions", posenc::fuzz::fuzz_mrope_positions},
    {"alibi", posenc::fuzz::fuzz_alibi},
    {"alibi_keys", posenc::fuzz::fuzz_alibi_keys},
    {"t5", posenc::fuzz::fuzz_t5},
    {"kerple", posenc::fuzz::fuzz_kerple},
    {"fire", posenc::fuzz::fuzz_fire},
    {"dynamic_position_bias", posenc::fuzz::fuzz_dynamic_position_bias},
    {"swin", posenc::fuzz::fuzz_swin},
    {"swin_cpb", posenc::fuzz::fuzz_swin_cpb},
    {"shaw", posenc::fuzz::fuzz_shaw},
    {"deberta", posenc::fuzz::fuzz_deberta},
    {"transformer_xl", posenc::fuzz::fuzz_transformer_xl},
    {"transformer_xl_parts", posenc::fuzz::fuzz_transformer_xl_parts},
    {"cope", posenc::fuzz::fuzz_cope},
    {"decomposed", posenc::fuzz::fuzz_decomposed},
    {"forgetting_bias", posenc::fuzz::fuzz_forgetting_bias},
    {"gated_position_bias", posenc::fuzz::fuzz_gated_position_bias},
    {"pope", posenc::fuzz::fuzz_pope},
    {"attention", posenc::fuzz::fuzz_attention},
    {"attention_backward", posenc::fuzz::fuzz_attention_backward},
    {"npy", posenc::fuzz::fuzz_npy},
    {"safetensors", posenc::fuzz::fuzz_safetensors},
};

bool parse(std::span<char*> words, Options& options, std::string& only) {
  for (std::size_t i = 1; i + 1 < words.size(); i += 2) {
    const std::string_view word = words[i];
    const char* value = words[i + 1];
    if (word == "--seed") {
      options.seed = value;
    } else if (word == "--count") {
      options.count = static_cast<std::size_t>(std::strtoull(value, nullptr, 10));
    } else if (word == "--trial") {
      options.trial = std::strtoll(value, nullptr, 10);
    } else if (word == "--only") {
      only = value;
    } else {
      return false;
    }
  }
  return words.size() % 2 == 1;
}

std::size_t run(const Encoding& encoding, Options options) {
  options.name = encoding.name;
  const Tally tally = encoding.run(options);
  std::printf("%s: %zu calls, %zu refused (", encoding.name, tally.calls, tally.refused());
  const char* separator = "";
  for (std::size_t code = 1; code < tally.by_code.size(); ++code) {
    if (tally.by_code[code] == 0) continue;
    const auto name = posenc::code_name(static_cast<posenc::Code>(code));
    std::printf("%s%s %zu", separator, std::string(name).c_str(), tally.by_code[code]);
    separator = ", ";
  }
  std::printf("), %zu failures\n", tally.failures);
  std::fflush(stdout);
  return tally.failures;
}

}  // namespace

int main(int count, char** words) {
  Options options;
  std::string only;
  if (!parse({words, static_cast<std::size_t>(count)}, options, only)) {
    std::fputs("fuzz_configs [--seed TEXT] [--count N] [--only ENCODING] [--trial N]\n", stderr);
    return 2;
  }
  std::printf("seed %s\n", options.seed.c_str());
  std::size_t failures = 0, ran = 0;
  for (const Encoding& encoding : kEncodings) {
    if (!only.empty() && only != encoding.name) continue;
    failures += run(encoding, options);
    ++ran;
  }
  if (ran == 0) std::fprintf(stderr, "no encoding named %s\n", only.c_str());
  return failures == 0 && ran > 0 ? 0 : 1;
}
