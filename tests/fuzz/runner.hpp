#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/kernels/kernels.hpp"
#include "trial.hpp"

namespace posenc::fuzz {

struct Options {
  /// The word that picks this kind of call: --only.
  const char* name = "";
  std::string seed = "1";
  std::size_t count = 2000;
  /// Run this trial alone, if not negative.
  long long trial = -1;
};

/// What the trials of an encoding did.
struct Tally {
  std::size_t calls = 0;
  std::array<std::size_t, 8> by_code{};
  std::size_t failures = 0;

  std::size_t refused() const { return calls - by_code[0]; }
};

/// Runs trials of one kind of call. A call is a value that says everything about it:
///
///   static constexpr const char* kEncoding;     the word that its messages start with
///   static Call valid(Trial&);                  a call that must succeed
///   Refusal spoil(Trial&);                      makes it wrong, in one way of many
///   void roughen(Trial&);                       any change at all, valid or not
///   Status run() const;
///
/// Each trial makes a valid call. In half of them a wrong one follows, which must be refused as
/// `spoil` says without a byte written, and then the first one again, by a kernel chosen anew,
/// which must give the same bits. A quarter of the wrong ones are changes of unknown outcome: they
/// must succeed, or be refused with a named error.
template <class Call>
class Runner {
 public:
  explicit Runner(const Options& options) : options_(options) {}

  Tally run() {
    const bool one = options_.trial >= 0;
    const std::size_t first = one ? static_cast<std::size_t>(options_.trial) : 0;
    const std::size_t last = one ? first + 1 : options_.count;
    for (index_ = first; index_ < last; ++index_) run_trial();
    return tally_;
  }

 private:
  void run_trial() {
    Trial trial(options_.seed + "/" + Call::kEncoding + "/" + std::to_string(index_));
    const Call call = Call::valid(trial);
    const bool wrong = trial.random().one_in(2);
    const bool wild = trial.random().one_in(4);
    // What a wrong call needs besides is made before the memory is first looked at.
    Call changed = call;
    Refusal expected;
    if (wrong && wild) {
      for (std::size_t i = trial.size(1, 3); i > 0; --i) changed.roughen(trial);
    } else if (wrong) {
      expected = changed.spoil(trial);
      if (expected.code == Code::ok) return;
    }
    const std::vector<unsigned char> right = succeed(trial, call);
    if (wrong) {
      refuse(trial, changed, expected);
      if (succeed(trial, call) != right) fail("other bits the second time");
    }
    if (!trial.intact()) fail("wrote outside its memory");
  }

  std::vector<unsigned char> succeed(Trial& trial, const Call& call) {
    const auto available = kernels::available();
    (void)kernels::use(available[trial.random().below(available.size())]->name);
    trial.restore();
    const Status status = call.run();
    count(status);
    if (!status.ok()) fail("a valid call was refused", status);
    return trial.contents();
  }

  void refuse(Trial& trial, const Call& call, const Refusal& expected) {
    trial.restore();
    const std::vector<unsigned char> before = trial.contents();
    const Status status = call.run();
    count(status);
    const std::string_view field = expected.field;
    const bool named = field.empty() || field == status.field();
    if (expected.code != Code::ok && (status.code() != expected.code || !named)) {
      const std::string code(code_name(expected.code));
      fail("expected " + code + " of \"" + expected.field + "\"", status);
    }
    if (status.ok()) return;
    if (trial.contents() != before) fail("wrote before it refused", status);
    const std::string start = std::string(Call::kEncoding) + ": ";
    if (!status.message().starts_with(start)) {
      fail("the message does not name its encoding", status);
    }
    if (status.field().empty()) fail("the error names no field", status);
    if (status.message().size() > 190) fail("the message was cut", status);
  }

  void count(const Status& status) {
    ++tally_.calls;
    ++tally_.by_code[static_cast<std::size_t>(status.code())];
  }

  void fail(const std::string& what, const Status& status = {}) {
    ++tally_.failures;
    if (tally_.failures > 20) return;
    std::fprintf(stderr, "FAILED: %s\n  %s of \"%s\": %s\n", what.c_str(),
                 std::string(code_name(status.code())).c_str(), std::string(status.field()).c_str(),
                 status.message_c_str());
    std::fprintf(stderr, "  again: fuzz_configs --seed %s --only %s --trial %zu\n",
                 options_.seed.c_str(), options_.name, index_);
  }

  const Options& options_;
  Tally tally_;
  std::size_t index_ = 0;
};

// One per encoding, in the file of its name.
Tally fuzz_sinusoidal(const Options& options);
Tally fuzz_learned(const Options& options);
Tally fuzz_hierarchical(const Options& options);
Tally fuzz_multiscale(const Options& options);
Tally fuzz_sincos_grid(const Options& options);
Tally fuzz_detr_sine(const Options& options);
Tally fuzz_layout_boxes(const Options& options);
Tally fuzz_interpolate(const Options& options);
Tally fuzz_rope(const Options& options);
Tally fuzz_rope_forms(const Options& options);
Tally fuzz_permute_pairs(const Options& options);
Tally fuzz_position_ids(const Options& options);
Tally fuzz_ragged_positions(const Options& options);
Tally fuzz_grid_positions(const Options& options);
Tally fuzz_mrope_positions(const Options& options);
Tally fuzz_alibi(const Options& options);
Tally fuzz_alibi_keys(const Options& options);
Tally fuzz_t5(const Options& options);
Tally fuzz_kerple(const Options& options);
Tally fuzz_fire(const Options& options);
Tally fuzz_dynamic_position_bias(const Options& options);
Tally fuzz_swin(const Options& options);
Tally fuzz_swin_cpb(const Options& options);
Tally fuzz_shaw(const Options& options);
Tally fuzz_deberta(const Options& options);
Tally fuzz_transformer_xl(const Options& options);
Tally fuzz_transformer_xl_parts(const Options& options);
Tally fuzz_cope(const Options& options);
Tally fuzz_decomposed(const Options& options);
Tally fuzz_forgetting_bias(const Options& options);
Tally fuzz_gated_position_bias(const Options& options);
Tally fuzz_pope(const Options& options);
Tally fuzz_attention(const Options& options);
Tally fuzz_attention_backward(const Options& options);
Tally fuzz_npy(const Options& options);
Tally fuzz_safetensors(const Options& options);

}  // namespace posenc::fuzz
