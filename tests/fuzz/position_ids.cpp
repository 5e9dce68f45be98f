// The positions of tokens in padded, ragged and packed batches.

#include "posenc/core/position_ids.hpp"

#include "posenc/core/ragged_positions.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

/// RoBERTa's, from ids; the others from a mask.
template <class Id>
struct IdsCall {
  static constexpr const char* kEncoding = "roberta_positions";

  std::vector<Id> ids;
  std::size_t batch = 1;
  Id padding_id = 1;
  std::int64_t past_length = 0;
  std::span<Id> out;

  static IdsCall valid(Trial& trial) {
    IdsCall call;
    call.batch = trial.size(1, 4);
    call.ids.resize(call.batch * trial.size(1, 9));
    call.padding_id = static_cast<Id>(trial.size(0, 5));
    for (Id& id : call.ids) id = static_cast<Id>(trial.size(0, 5));
    call.past_length = trial.random().between(0, 100000);
    call.out = trial.whole_numbers<Id>(call.ids.size());
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(4)) {
      case 0:
        batch = coin ? 0 : kTooWide;
        return {Code::value_range, "batch"};
      case 1:
        padding_id = -1;
        return {Code::value_range, "padding_id"};
      case 2:
        past_length = coin ? -1 : kMaxPosition + 1;
        return {Code::value_range, "past_length"};
      default:
        out = out.first(out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        batch = trial.wild_size();
        break;
      case 1:
        padding_id = static_cast<Id>(trial.wild_whole());
        break;
      case 2:
        ids[0] = static_cast<Id>(trial.wild_whole());
        break;
      default:
        past_length = trial.wild_whole();
        break;
    }
  }

  Status run() const {
    return roberta_positions(std::span<const Id>(ids), batch, padding_id, past_length, out);
  }
};

enum class MaskRule : std::uint8_t { opt, left_padding, next };

template <class Id, MaskRule rule>
struct MaskCall {
  static constexpr const char* kEncoding = rule == MaskRule::opt    ? "opt_positions"
                                           : rule == MaskRule::next ? "next_positions"
                                                                    : "left_padding_positions";

  std::vector<std::uint8_t> mask;
  std::size_t batch = 1, past_length = 0;
  /// OPT's offset, or what masked tokens get.
  std::int64_t value = 2;
  std::span<Id> out;

  static MaskCall valid(Trial& trial) {
    MaskCall call;
    call.batch = trial.size(1, 4);
    const std::size_t tokens = trial.size(1, 9);
    if (rule == MaskRule::opt) call.past_length = trial.size(0, tokens - 1);
    call.mask.resize(call.batch * tokens);
    for (std::uint8_t& real : call.mask) real = static_cast<std::uint8_t>(trial.size(0, 2));
    call.value = trial.random().between(1, 1000);
    const std::size_t each = rule == MaskRule::next ? 1 : tokens - call.past_length;
    call.out = trial.whole_numbers<Id>(call.batch * each);
    return call;
  }

  Refusal spoil(Trial& trial) {
    const bool coin = trial.random().one_in(2);
    switch (trial.random().below(4)) {
      case 0:
        if (rule == MaskRule::next) out = {};
        batch = coin ? 0 : kTooWide;
        return {Code::value_range, "batch"};
      case 1:
        if (rule == MaskRule::next) return {};
        value = coin ? -1 : kMaxPosition + 1;
        return {Code::value_range};
      case 2:
        if (rule != MaskRule::opt) return {};
        past_length = mask.size() / batch + 1;
        return {Code::value_range, "past_length"};
      default:
        if (rule == MaskRule::next) return {};
        out = out.first(out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    switch (trial.random().below(3)) {
      case 0:
        batch = trial.wild_size();
        break;
      case 1:
        past_length = trial.wild_size();
        break;
      default:
        value = trial.wild_whole();
        break;
    }
  }

  Status run() const {
    const std::span<const std::uint8_t> real(mask);
    if constexpr (rule == MaskRule::opt) {
      return opt_positions(real, batch, past_length, value, out);
    } else if constexpr (rule == MaskRule::next) {
      return next_positions(real, out);
    } else {
      return left_padding_positions(real, batch, value, out);
    }
  }
};

struct OffsetCall {
  static constexpr const char* kEncoding = "offset_positions";

  std::vector<std::int64_t> offsets;
  std::span<std::int64_t> out;

  static OffsetCall valid(Trial& trial) {
    OffsetCall call;
    call.offsets.resize(trial.size(2, 5));
    for (std::int64_t& offset : call.offsets) {
      offset = trial.random().between(-kMaxPosition, kMaxPosition - 10);
    }
    call.out = trial.whole_numbers<std::int64_t>(call.offsets.size() * trial.size(1, 9));
    return call;
  }

  Refusal spoil(Trial& trial) {
    if (trial.random().one_in(2)) {
      out = out.first(out.size() - 1);
      return {Code::shape, "out"};
    }
    offsets.back() = trial.random().one_in(2) ? kMaxPosition + 1 : -kMaxPosition - 1;
    return {Code::position_range, "offsets"};
  }

  void roughen(Trial& trial) { offsets[0] = trial.wild_whole(); }

  Status run() const { return offset_positions(offsets, out); }
};

template <class Start>
struct PackedCall {
  static constexpr const char* kEncoding = "packed_positions";

  std::vector<std::int64_t> offsets;
  std::vector<Start> starts{0};
  std::span<std::int64_t> out;

  static PackedCall valid(Trial& trial) {
    PackedCall call;
    const std::size_t batch = trial.size(1, 5);
    if (trial.random().one_in(2)) call.offsets.assign(batch, 77);
    for (std::size_t i = 0; i < batch; ++i) {
      call.starts.push_back(call.starts.back() + static_cast<Start>(trial.size(0, 6)));
    }
    call.out = trial.whole_numbers<std::int64_t>(static_cast<std::size_t>(call.starts.back()));
    return call;
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(5)) {
      case 0:
        starts[0] = 1;
        return {Code::value_range, "starts"};
      case 1:
        starts.back() = -1;
        return {Code::value_range, "starts"};
      case 2:
        offsets.assign(starts.size(), 0);
        return {Code::shape, "offsets"};
      case 3:
        offsets.assign(starts.size() - 1, kMaxPosition + 1);
        return {Code::position_range, "offsets"};
      default:
        if (out.empty()) return {};
        out = out.first(out.size() - 1);
        return {Code::shape, "out"};
    }
  }

  void roughen(Trial& trial) {
    if (trial.random().one_in(2)) {
      starts[trial.random().below(starts.size())] = static_cast<Start>(trial.wild_whole());
    } else {
      offsets.assign(starts.size() - 1, trial.wild_whole());
    }
  }

  Status run() const { return packed_positions(offsets, std::span<const Start>(starts), out); }
};

template <class First, class... Others>
Tally all_of(const Options& options) {
  Tally tally = Runner<First>(options).run();
  if constexpr (sizeof...(Others) != 0) {
    const Tally rest = all_of<Others...>(options);
    tally.calls += rest.calls;
    tally.failures += rest.failures;
    for (std::size_t i = 0; i < tally.by_code.size(); ++i) tally.by_code[i] += rest.by_code[i];
  }
  return tally;
}

}  // namespace

Tally fuzz_position_ids(const Options& options) {
  using enum MaskRule;
  return all_of<IdsCall<std::int32_t>, IdsCall<std::int64_t>, MaskCall<std::int32_t, opt>,
                MaskCall<std::int64_t, opt>, MaskCall<std::int32_t, left_padding>,
                MaskCall<std::int64_t, left_padding>, MaskCall<std::int32_t, next>,
                MaskCall<std::int64_t, next>>(options);
}

Tally fuzz_ragged_positions(const Options& options) {
  return all_of<OffsetCall, PackedCall<std::int32_t>, PackedCall<std::int64_t>>(options);
}

}  // namespace posenc::fuzz
