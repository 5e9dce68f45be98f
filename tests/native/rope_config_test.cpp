// What a rope's config may not be: the field and the whole message.

#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc {
namespace {

using namespace tests;

void rejected(const RopeConfig& config, std::string_view field, const std::string& message,
              Code code = Code::value_range) {
  expect_failure(check(config), code, field, message);
  expect_failure(make(config).status(), code, field, message);
}

void rejected_scaling(const RopeScaling& scaling, std::string_view field,
                      const std::string& message, Code code = Code::value_range) {
  rejected({.head_dim = 8, .scaling = scaling}, field, message, code);
}

std::string lengths(const std::string& field, int least, long long got) {
  return "rope: " + field + " must be " + std::to_string(least) + " to 2^50, got " +
         std::to_string(got);
}

TEST(RopeConfig, WindowsThatDoNotFit) {
  rejected({.head_dim = 8, .rotary_start = 8}, "rotary_start",
           "rope: rotary_start must be below head_dim = 8, got 8");
  const std::string room = "rope: rotary_dim must be even and at most head_dim - rotary_start = ";
  rejected({.head_dim = 8, .rotary_dim = 6, .rotary_start = 4}, "rotary_dim", room + "4, got 6");
  rejected({.head_dim = 8, .rotary_start = 3}, "rotary_dim", room + "5, got 5");
  EXPECT_TRUE(succeeded(check({.head_dim = 8, .rotary_dim = 4, .rotary_start = 3})));
  EXPECT_EQ(Rope({.head_dim = 8, .rotary_start = 2}).config().rotary_dim, 6u);
}

TEST(RopeConfig, LengthsOutsideTheirRange) {
  rejected({.head_dim = 8, .length = -1}, "length", lengths("length", 0, -1));
  const std::string field = "scaling.max_position_embeddings";
  rejected_scaling(DynamicNtk{2, 0}, field, lengths(field, 1, 0));
  const std::string original = "scaling.original_max_position_embeddings";
  rejected_scaling(Yarn{2, 0}, original, lengths(original, 1, 0));
  rejected_scaling(Llama3{.original_max_position_embeddings = -5}, original,
                   lengths(original, 1, -5));
  const std::vector<double> ones(4, 1.0);
  rejected_scaling(LongRope{ones, ones, 1}, original, lengths(original, 2, 1));
}

TEST(RopeConfig, NtkNeedsMoreThanTwoDims) {
  const std::string message = "rope: rotary_dim must be above 2 for NTK scaling, got 2";
  rejected({.head_dim = 2, .scaling = StaticNtk{2}}, "rotary_dim", message);
  rejected({.head_dim = 2, .scaling = DynamicNtk{2, 16}}, "rotary_dim", message);
}

TEST(RopeConfig, FactorsOutsideTheirRange) {
  const std::string any = "rope: scaling.factor must be 1e-30 to 1e+30, got ";
  const std::string above = "rope: scaling.factor must be 1 to 1e+30, got ";
  rejected_scaling(StaticNtk{0}, "scaling.factor", any + "0");
  rejected_scaling(DynamicNtk{0.5, 16}, "scaling.factor", above + "0.5");
  rejected_scaling(Yarn{0.5, 16}, "scaling.factor", above + "0.5");
  rejected_scaling(Llama3{.factor = kNaN}, "scaling.factor", any + "nan");
  rejected_scaling(Proportional{.factor = -1}, "scaling.factor", any + "-1");
}

TEST(RopeConfig, YarnOutsideItsRange) {
  Yarn yarn{.factor = 2, .original_max_position_embeddings = 16};
  const auto with = [&](auto change) {
    Yarn changed = yarn;
    change(changed);
    return changed;
  };
  rejected_scaling(with([](Yarn& y) { y.beta_slow = 0; }), "scaling.beta_slow",
                   "rope: scaling.beta_slow must be 1e-30 to 1e+30, got 0");
  rejected_scaling(with([](Yarn& y) { y.beta_fast = 0.5; }), "scaling.beta_fast",
                   "rope: scaling.beta_fast must be 1 to 1e+30, got 0.5");
  rejected_scaling(with([](Yarn& y) { y.mscale = -1; }), "scaling.mscale",
                   "rope: scaling.mscale must be 0 to 1e+30, got -1");
  rejected_scaling(with([](Yarn& y) { y.mscale_all_dim = kNaN; }), "scaling.mscale_all_dim",
                   "rope: scaling.mscale_all_dim must be 0 to 1e+30, got nan");
  rejected_scaling(with([](Yarn& y) { y.attention_factor = 0; }), "scaling.attention_factor",
                   "rope: scaling.attention_factor must be 1e-30 to 1e+30, got 0");
  rejected({.head_dim = 8, .base = 1, .scaling = yarn}, "base",
           "rope: base must be above 1 for YaRN, got 1");
}

TEST(RopeConfig, LongRopeListsThatDoNotFit) {
  const std::vector<double> ones(4, 1.0), three(3, 1.0), zero{1, 1, 0, 1};
  rejected_scaling(LongRope{three, ones, 16}, "scaling.short_factor",
                   "rope: scaling.short_factor must have rotary_dim/2 = 4 = 4 elements, got 3",
                   Code::shape);
  rejected_scaling(LongRope{ones, {}, 16}, "scaling.long_factor",
                   "rope: scaling.long_factor must have rotary_dim/2 = 4 = 4 elements, got 0",
                   Code::shape);
  rejected_scaling(LongRope{ones, zero, 16}, "scaling.long_factor",
                   "rope: scaling.long_factor must be 1e-30 to 1e+30, got 0");
  rejected_scaling(LongRope{ones, ones, 16, 1, 0.0}, "scaling.short_attention_factor",
                   "rope: scaling.short_attention_factor must be 1e-30 to 1e+30, got 0");
  rejected_scaling(LongRope{ones, ones, 16, 1, 1.0, -1.0}, "scaling.long_attention_factor",
                   "rope: scaling.long_attention_factor must be 1e-30 to 1e+30, got -1");
}

TEST(RopeConfig, Llama3OutsideItsRange) {
  rejected_scaling(Llama3{.low_freq_factor = 0}, "scaling.low_freq_factor",
                   "rope: scaling.low_freq_factor must be 1e-30 to 1e+30, got 0");
  rejected_scaling(Llama3{.low_freq_factor = 4, .high_freq_factor = 2}, "scaling.high_freq_factor",
                   "rope: scaling.high_freq_factor must be 4 to 1e+30, got 2");
}

TEST(RopeConfig, ProportionalOutsideItsRange) {
  rejected_scaling(Proportional{.partial_rotary_factor = 1.5}, "scaling.partial_rotary_factor",
                   "rope: scaling.partial_rotary_factor must be 0 to 1, got 1.5");
  rejected({.head_dim = 8, .rotary_dim = 4, .scaling = Proportional{}}, "rotary_dim",
           "rope: rotary_dim must be head_dim = 8 for proportional scaling, whose pairs span the "
           "whole head, got 4");
}

TEST(RopeConfig, CustomFrequenciesThatDoNotFit) {
  const std::vector<double> four(4, 1.0);
  rejected_scaling(CustomFrequencies{four, 0}, "scaling.axes",
                   "rope: scaling.axes must be 1 to 8, got 0");
  rejected_scaling(CustomFrequencies{four, 9}, "scaling.axes",
                   "rope: scaling.axes must be 1 to 8, got 9");
  rejected_scaling(CustomFrequencies{four, 1, 0}, "scaling.frequency_heads",
                   "rope: scaling.frequency_heads must be 1 to 16777216, got 0");
  rejected_scaling(CustomFrequencies{four, 2}, "scaling.inv_freq",
                   "rope: scaling.inv_freq must have axes * frequency_heads * rotary_dim/2 = 2 * 1 "
                   "* 4 = 8 elements, got 4",
                   Code::shape);
  rejected_scaling(CustomFrequencies{{1, 2, 3, kNaN}}, "scaling.inv_freq",
                   "rope: scaling.inv_freq must be -1e+30 to 1e+30, got nan");
  rejected_scaling(CustomFrequencies{four, 1, 1, 0.0}, "scaling.attention_factor",
                   "rope: scaling.attention_factor must be 1e-30 to 1e+30, got 0");
}

}  // namespace
}  // namespace posenc
