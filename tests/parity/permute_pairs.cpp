#include "posenc/rotary/permute_pairs.hpp"

#include "cases.hpp"
#include "sizes.hpp"

namespace posenc::parity {
namespace {

template <class Visit>
void for_each_args(const Visit& visit) {
  std::size_t index = 0;
  for (const std::size_t pairs : sizes_to(20, {64})) {
    for (const bool forth : {true, false}) {
      const PermutePairsArgs args{.heads = 1 + index % 3,
                                  .head_dim = 2 * pairs + index % 2 * 4,
                                  .rotary_dim = 2 * pairs,
                                  .columns = 1 + index % 5,
                                  .from = forth ? RopeLayout::interleaved : RopeLayout::half,
                                  .to = forth ? RopeLayout::half : RopeLayout::interleaved};
      Label label;
      label("heads", args.heads)("head_dim", args.head_dim)("rotary_dim", args.rotary_dim);
      visit(label("columns", args.columns)("from", forth ? "interleaved" : "half"), args);
      ++index;
    }
  }
}

void rows(Cases& cases) {
  for_each_args([&](const Label& label, const PermutePairsArgs& args) {
    cases.add(label, [&](Case& one) {
      std::vector<std::int32_t> list(args.heads * args.head_dim);
      one.succeed(permute_pairs_rows(args, list));
      one.result("rows", std::span<const std::int32_t>(list));
    });
  });
}

void weight(Cases& cases) {
  for_each_args([&](const Label& label, const PermutePairsArgs& args) {
    cases.add_stored(label, [&](Case& one) {
      const std::size_t count = args.heads * args.head_dim;
      const auto source = one.input("weight", {count, args.columns});
      one.succeed(permute_pairs(source, one.output("out", {count, args.columns}), args));
    });
  });
}

}  // namespace

std::span<const Verb> permute_pairs_verbs() {
  static constexpr Verb kVerbs[] = {{"permute_pairs.rows", rows}, {"permute_pairs", weight}};
  return kVerbs;
}

}  // namespace posenc::parity
