#include "posenc/relative/gated_position_bias.hpp"

#include <string>

#include "bias_helpers.hpp"

namespace posenc {
namespace {

using namespace tests;

TEST(GatedPositionBias, ValuesOfTheReference) {
  const float hidden[] = {0.42694348f,  1.0619669f, 0.8899904f,  0.5528051f,
                          -0.88072634f, 1.3117564f, 0.53384453f, -1.0364705f};
  const float weight[] = {-1.5725672f,  1.8738785f,   1.5162808f,    -1.900234f,    -0.6443232f,
                          -0.28450656f, -1.6910588f,  -1.2207979f,   1.2944547f,    0.10521377f,
                          -1.5275929f,  1.9551177f,   -0.41959646f,  -1.6386185f,   1.7390139f,
                          -1.6213908f,  -0.70675886f, -1.8535577f,   0.32118762f,   -1.4460837f,
                          0.73827195f,  1.8577965f,   -0.009148979f, -1.7584022f,   1.5098369f,
                          0.494281f,    1.888919f,    1.1075673f,    -0.023740564f, 1.7700979f,
                          1.2947769f,   -1.3697455f};
  const float bias[] = {-1.3431113f, 1.5260786f,  1.436435f,   -0.9570517f,
                        1.0898407f,  0.33206657f, -0.8679931f, 0.20970209f};
  const float constant[] = {-0.047709823f, -0.23014762f};
  const float table[] = {0.06808979f, -0.40092722f};  // bucket 0 of both heads
  const double expected_gate[] = {1.7859792848215406, 0.7797233449133402};
  const double expected[] = {0.12160695559491463, -0.3126123097817451};
  const GatedPositionBias gated({.heads = 2,
                                 .head_dim = 4,
                                 .gate_weight = weight,
                                 .gate_bias = bias,
                                 .gate_const = constant});
  Guarded gate(2), out(2);
  ASSERT_TRUE(succeeded(gated.gate(hidden, 1, gate.span())));
  expect_ulps(gate.span(), expected_gate, 1);
  ASSERT_TRUE(succeeded(gated.bias(gate.span(), table, 1, 1, out.span())));
  expect_ulps(out.span(), expected, 2);
}

/// Trained values of 3 heads of width 5.
struct Model {
  std::vector<float> weight, bias, constant;

  explicit Model(Random& random)
      : weight(random.floats(8 * 5)), bias(random.floats(8)), constant(random.floats(3)) {}

  GatedPositionBias encoding() const {
    return GatedPositionBias({.heads = 3,
                              .head_dim = 5,
                              .gate_weight = weight,
                              .gate_bias = bias,
                              .gate_const = constant});
  }
};

TEST(GatedPositionBias, GatesFollowTheDefinition) {
  Random random;
  const Model model(random);
  const std::size_t batch = 2, length = 4;
  const std::vector<float> hidden = random.floats(batch * length * 15);
  Guarded gate(batch * 3 * length);
  ASSERT_TRUE(succeeded(model.encoding().gate(hidden, length, gate.span())));
  for (std::size_t i = 0; i < gate.span().size(); ++i) {
    const std::size_t head = i / length % 3,
                      at = ((i / length / 3 * length + i % length) * 3 + head) * 5;
    double sums[2] = {};
    for (std::size_t row = 0; row < 8; ++row) {
      sums[row / 4] +=
          dot(model.weight, row * 5, hidden, at, 5) + static_cast<double>(model.bias[row]);
    }
    const double exact = sigmoid_of(sums[0]) *
                             (sigmoid_of(sums[1]) * static_cast<double>(model.constant[head]) - 1) +
                         2;
    EXPECT_NEAR(static_cast<double>(gate.span()[i]), exact, 0x1p-22);
  }
  for (StorageType type : kShortTypes) {
    ShortFloats rounded(gate.span().size(), type);
    ASSERT_TRUE(succeeded(model.encoding().gate(hidden, length, rounded)));
    expect_rounded(rounded, type, gate.span());
  }
}

TEST(GatedPositionBias, SequencesOfABatchAreIndependent) {
  Random random;
  const Model model(random);
  const std::vector<float> hidden = random.floats(2 * 4 * 15);
  Guarded whole(24), second(12);
  ASSERT_TRUE(succeeded(model.encoding().gate(hidden, 4, whole.span())));
  ASSERT_TRUE(succeeded(model.encoding().gate(std::span(hidden).last(60), 4, second.span())));
  EXPECT_TRUE(same_bits(second.span(), whole.span().last(12)));
}

TEST(GatedPositionBias, BiasIsOneProductPerElement) {
  Random random;
  const Model model(random);
  const std::size_t queries = 4, keys = 6;
  const std::vector<float> gate = random.floats(2 * 3 * queries);
  const std::vector<float> position = random.floats(3 * queries * keys);
  Guarded out(2 * position.size());
  ASSERT_TRUE(succeeded(model.encoding().bias(gate, position, queries, keys, out.span())));
  std::vector<float> expected;
  for (std::size_t i = 0; i < out.span().size(); ++i) {
    expected.push_back(gate[i / keys] * position[i % position.size()]);
  }
  EXPECT_TRUE(same_bits(out.span(), expected));
  for (StorageType type : kShortTypes) {
    ShortFloats rounded(expected.size(), type);
    ASSERT_TRUE(succeeded(model.encoding().bias(gate, position, queries, keys, rounded)));
    EXPECT_TRUE(same_bits(rounded.floats(), ShortFloats(expected, type).floats()));
  }
}

TEST(GatedPositionBias, NothingToWriteIsNoError) {
  Random random;
  const Model model(random);
  EXPECT_TRUE(succeeded(model.encoding().gate({}, 0, {})));
  EXPECT_TRUE(succeeded(model.encoding().gate({}, 3, {})));
  EXPECT_TRUE(succeeded(model.encoding().bias({}, {}, 0, 4, {})));
}

TEST(GatedPositionBiasRejection, ConfigsOutsideTheirRange) {
  const std::vector<float> eight(8), two(2);
  const auto rejects = [](const GatedPositionBiasConfig& config, Code code, const char* field,
                          const char* message) {
    expect_failure(make(config).status(), code, field, message);
  };
  rejects({}, Code::value_range, "heads",
          "gated_position_bias: heads must be 1 to 16777216, got 0");
  rejects({.heads = 1}, Code::value_range, "head_dim",
          "gated_position_bias: head_dim must be 1 to 4096, got 0");
  rejects({.heads = 1, .head_dim = 2, .gate_weight = eight}, Code::shape, "gate_weight",
          "gated_position_bias: gate_weight must have 8 * head_dim = 8 * 2 = 16 elements, got 8");
  rejects({.heads = 1, .head_dim = 1, .gate_weight = eight, .gate_bias = two}, Code::shape,
          "gate_bias", "gated_position_bias: gate_bias must have 8 = 8 = 8 elements, got 2");
  rejects({.heads = 1, .head_dim = 1, .gate_weight = eight, .gate_bias = eight, .gate_const = two},
          Code::shape, "gate_const",
          "gated_position_bias: gate_const must have heads = 1 = 1 elements, got 2");
  EXPECT_THROW(GatedPositionBias(GatedPositionBiasConfig{}), Error);
}

TEST(GatedPositionBiasRejection, WrongCallsWriteNothing) {
  Random random;
  const Model model(random);
  const GatedPositionBias gated = model.encoding();
  Guarded memory(60);
  const std::span<float> all = memory.span();
  expect_failure(gated.gate(all.first(30), 2, all.last(7)), Code::shape, "out",
                 "gated_position_bias: out must have batch * heads * length = 1 * 3 * 2 = 6 "
                 "elements, got 7");
  expect_failure(gated.gate(all.first(29), 2, all.last(6)), Code::shape, "hidden",
                 "gated_position_bias: hidden must have batch * length * heads * head_dim = 1 * 2 "
                 "* 3 * 5 = 30 elements, got 29");
  expect_failure(gated.gate(all.first(30), 2, all.first(6)), Code::overlap, "out",
                 "gated_position_bias: out must not overlap hidden");
  expect_failure(gated.bias(all.first(7), all.subspan(7, 12), 2, 2, all.last(12)), Code::shape,
                 "gate",
                 "gated_position_bias: gate must have batch * heads * queries = 1 * 3 * 2 = 6 "
                 "elements, got 7");
  expect_failure(gated.bias(all.first(6), all.subspan(6, 11), 2, 2, all.last(12)), Code::shape,
                 "position_bias",
                 "gated_position_bias: position_bias must have heads * queries * keys = 3 * 2 * 2 "
                 "= 12 elements, got 11");
  expect_failure(gated.bias(all.first(6), all.subspan(6, 12), 2, 2, all.last(11)), Code::shape,
                 "out",
                 "gated_position_bias: out must have batch * heads * queries * keys = 1 * 3 * 2 * "
                 "2 = 12 elements, got 11");
  expect_failure(gated.bias(all.first(6), all.subspan(6, 12), 2, 2, all.first(12)), Code::overlap,
                 "out", "gated_position_bias: out must not overlap gate");
  expect_failure(gated.bias(all.first(6), all.subspan(6, 12), 2, 2, all.subspan(7, 12)),
                 Code::overlap, "out", "gated_position_bias: out must not overlap position_bias");
  EXPECT_TRUE(memory.untouched());
}

TEST(GatedPositionBiasRejection, GatesOverItsParameters) {
  // weight [8, 1], bias [8], constants [6], hidden [1, 1, 6] and room for the gates [1, 6, 1]
  std::vector<float> memory(34, 0.25f);
  const std::vector<float> before = memory;
  const std::span<float> all(memory);
  const GatedPositionBias gated({.heads = 6,
                                 .head_dim = 1,
                                 .gate_weight = all.first(8),
                                 .gate_bias = all.subspan(8, 8),
                                 .gate_const = all.subspan(16, 6)});
  const auto gate = [&](std::size_t first) {
    return gated.gate(all.subspan(22, 6), 1, all.subspan(first, 6));
  };
  const auto refuses = [&](std::size_t first, const std::string& over) {
    expect_failure(gate(first), Code::overlap, "out",
                   "gated_position_bias: out must not overlap " + over);
  };
  refuses(0, "gate_weight");
  refuses(7, "gate_weight");
  refuses(8, "gate_bias");
  refuses(15, "gate_bias");
  refuses(16, "gate_const");
  refuses(21, "hidden");
  EXPECT_TRUE(same_bits(memory, before));
  EXPECT_TRUE(succeeded(gate(28)));
  EXPECT_TRUE(same_bits(all.first(28), std::span(before).first(28)));
}

}  // namespace
}  // namespace posenc
