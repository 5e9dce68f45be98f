#include "posenc/rotary/permute_pairs.hpp"

#include "runner.hpp"

namespace posenc::fuzz {
namespace {

struct PermutePairsCall {
  static constexpr const char* kEncoding = "permute_pairs";

  PermutePairsArgs args;
  ConstFloats weight;
  Floats out;
  std::span<std::int32_t> rows;
  bool of_rows = false;

  static PermutePairsCall valid(Trial& trial) {
    PermutePairsCall call;
    call.args = {
        .heads = trial.size(1, 3), .head_dim = 2 * trial.size(1, 12), .columns = trial.size(1, 6)};
    if (trial.random().one_in(2)) std::swap(call.args.from, call.args.to);
    if (trial.random().one_in(2)) call.args.rotary_dim = 2 * trial.size(1, call.args.head_dim / 2);
    const std::size_t size = call.args.heads * call.args.head_dim * call.args.columns;
    call.weight = trial.data(size);
    call.out = trial.data(size);
    call.rows = trial.whole_numbers<std::int32_t>(call.args.heads * call.args.head_dim);
    call.of_rows = trial.random().one_in(3);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(6)) {
      case 0:
        args.heads = coin ? 0 : kTooWide;
        return {Code::value_range, "heads"};
      case 1:
        args.rotary_dim = coin ? 3 : args.head_dim + 2;
        return {Code::value_range, "rotary_dim"};
      case 2:
        args.columns = 0;
        return {Code::value_range, "columns"};
      case 3:
        if (of_rows) return {};
        weight = resized(weight, weight.size() - 1);
        return {Code::shape, "weight"};
      case 4:
        if (of_rows) return {};
        weight = resized(out, weight.size());
        return {Code::overlap, "out"};
      default:
        out = resized(out, out.size() - 1);
        rows = rows.first(rows.size() - 1);
        return {Code::shape, of_rows ? "rows" : "out"};
    }
  }

  void roughen(Trial& trial) {
    std::size_t* sizes[] = {&args.heads, &args.head_dim, &args.rotary_dim, &args.columns};
    *trial.random().pick(sizes) = trial.wild_size();
  }

  Status run() const {
    return of_rows ? permute_pairs_rows(args, rows) : permute_pairs(weight, out, args);
  }
};

}  // namespace

Tally fuzz_permute_pairs(const Options& options) { return Runner<PermutePairsCall>(options).run(); }

}  // namespace posenc::fuzz
