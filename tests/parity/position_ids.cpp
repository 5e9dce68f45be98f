#include "posenc/core/position_ids.hpp"

#include "cases.hpp"
#include "posenc/core/mrope_positions.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

constexpr std::size_t kBatch = 3;

std::vector<std::uint8_t> mask_of(std::size_t size, tests::Generator& generator) {
  std::vector<std::uint8_t> mask(size);
  for (auto& byte : mask) byte = generator.one_in(4) ? 0 : 1;
  return mask;
}

/// Every rule on batches of each length, in both widths of integer.
template <class Id>
void add_rules(Case& one, std::size_t tokens) {
  tests::Generator& generator = one.generator();
  std::vector<Id> ids(kBatch * tokens), out(kBatch * tokens), next(kBatch);
  for (Id& id : ids) id = static_cast<Id>(generator.between(0, 3));
  const std::size_t past = generator.below(4);
  const auto mask = mask_of(kBatch * tokens, generator);
  const auto long_mask = mask_of(kBatch * (past + tokens), generator);
  const auto take = [&](const char* name, const Status& status, std::span<const Id> values) {
    one.succeed(status);
    one.result(name, values);
  };
  const auto past_length = static_cast<std::int64_t>(past);
  take("roberta", roberta_positions(ids, kBatch, Id{1}, past_length, std::span<Id>(out)), out);
  take("opt", opt_positions(long_mask, kBatch, past, 2, std::span<Id>(out)), out);
  take("left", left_padding_positions(mask, kBatch, 1, std::span<Id>(out)), out);
  take("next", next_positions(mask, std::span<Id>(next)), next);
}

void rules(Cases& cases) {
  for (const std::size_t tokens : sizes_to(40)) {
    cases.add(Label()("tokens", tokens)("ids", "int32"),
              [&](Case& one) { add_rules<std::int32_t>(one, tokens); });
    cases.add(Label()("tokens", tokens)("ids", "int64"),
              [&](Case& one) { add_rules<std::int64_t>(one, tokens); });
  }
}

/// A text with two images: 1 stands for a word, 7 for a patch.
void mrope(Cases& cases) {
  for (const std::size_t words : sizes_to(20)) {
    cases.add(Label()("words", words), [&](Case& one) {
      std::vector<std::int64_t> grids;
      std::vector<std::int32_t> ids;
      for (std::size_t image = 0; image < 2; ++image) {
        const std::size_t height = 1 + one.generator().below(4);
        const std::size_t width = 1 + one.generator().below(5);
        for (const std::size_t side : {std::size_t{1}, 2 * height, 2 * width}) {
          grids.push_back(static_cast<std::int64_t>(side));
        }
        ids.insert(ids.end(), words, 1);
        ids.insert(ids.end(), height * width, 7);
      }
      std::vector<std::int64_t> positions(3 * ids.size()), delta(1);
      one.succeed(mrope_positions({.image_token_id = 7, .video_token_id = 8}, ids, {}, grids, {},
                                  positions, delta));
      one.result("positions", positions);
      one.result("delta", delta);
    });
  }
}

}  // namespace

std::span<const Verb> position_id_verbs() {
  static constexpr Verb kVerbs[] = {{"position_ids", rules}, {"mrope_positions", mrope}};
  return kVerbs;
}

}  // namespace posenc::parity
