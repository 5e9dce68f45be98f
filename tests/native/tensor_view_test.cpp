#include "posenc/model/tensor_view.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "helpers.hpp"

namespace posenc {
namespace {

using tests::expect_failure;

/// A tensor of one axis over a copy of `values`, which starts `shift` bytes behind an address that
/// suits every type.
template <class Value>
struct Stored {
  Stored(ElementType type, const std::vector<Value>& values, std::size_t shift = 0)
      : memory(values.size() + 1) {
    auto* start = reinterpret_cast<std::byte*>(memory.data()) + shift;
    if (!values.empty()) std::memcpy(start, values.data(), values.size() * sizeof(Value));
    tensor = {.name = "t",
              .type = type,
              .type_name = "F?",
              .shape = {values.size()},
              .bytes = {start, values.size() * sizeof(Value)}};
  }

  std::vector<Value> memory;
  TensorView tensor;
};

TEST(TensorView, SizeIsTheProductOfTheShape) {
  EXPECT_EQ((TensorView{.shape = {2, 3, 5}}).size(), 30u);
  EXPECT_EQ((TensorView{.shape = {2, 0, 5}}).size(), 0u);
  EXPECT_EQ(TensorView{}.size(), 1u) << "a single number";
}

TEST(TensorView, IsViewedWithoutACopyWhereTheAddressSuits) {
  const Stored<float> floats(ElementType::float32, {1.5f, -2.0f});
  const auto view = floats.tensor.view();
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->data(), floats.tensor.bytes.data());
  EXPECT_EQ(view->size(), 2u);
  EXPECT_EQ(view->type(), StorageType::float32);
  const Stored<std::uint16_t> halves(ElementType::bfloat16, {0x3fc0}, 0);
  ASSERT_TRUE(halves.tensor.view().has_value());
  EXPECT_EQ(halves.tensor.view()->type(), StorageType::bfloat16);
}

TEST(TensorView, HasNoViewAtOtherAddressesAndOfOtherTypes) {
  EXPECT_FALSE(Stored<float>(ElementType::float32, {1.5f}, 2).tensor.view().has_value());
  EXPECT_FALSE(Stored<std::uint16_t>(ElementType::float16, {0}, 1).tensor.view().has_value());
  EXPECT_FALSE(Stored<double>(ElementType::float64, {1.5}).tensor.view().has_value());
  EXPECT_FALSE(Stored<double>(ElementType::other, {1.5}).tensor.view().has_value());
}

TEST(TensorView, ReadsEveryTypeAsFloat32AtAnyAddress) {
  for (std::size_t shift = 0; shift < 2; ++shift) {
    std::vector<float> out(3);
    const Stored<float> floats(ElementType::float32, {1.5f, -0.0f, 3e38f}, shift);
    ASSERT_TRUE(floats.tensor.read(out).ok());
    EXPECT_EQ(out[0], 1.5f);
    EXPECT_TRUE(out[1] == 0.0f && std::signbit(out[1]));
    EXPECT_EQ(out[2], 3e38f);
    const Stored<std::uint16_t> halves(ElementType::float16, {0x3e00, 0x0001, 0x7bff}, shift);
    ASSERT_TRUE(halves.tensor.read(out).ok());
    EXPECT_EQ(out[0], 1.5f);
    EXPECT_EQ(out[1], 0x1p-24f);
    EXPECT_EQ(out[2], 65504.0f);
    const Stored<std::uint16_t> brains(ElementType::bfloat16, {0x3fc0, 0xbf80, 0x7f80}, shift);
    ASSERT_TRUE(brains.tensor.read(out).ok());
    EXPECT_EQ(out[0], 1.5f);
    EXPECT_EQ(out[1], -1.0f);
    EXPECT_EQ(out[2], std::numeric_limits<float>::infinity());
  }
}

TEST(TensorView, RoundsFloat64OnceToNearestEven) {
  constexpr double tie = 1.0 + 0x1p-24;
  const Stored<double> doubles(ElementType::float64, {tie, tie + 0x1p-52, 0.1, 1e300}, 3);
  std::vector<float> out(4);
  ASSERT_TRUE(doubles.tensor.read(out).ok());
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], 1.0f + 0x1p-23f);
  EXPECT_EQ(out[2], 0.1f);
  EXPECT_EQ(out[3], std::numeric_limits<float>::infinity());
}

TEST(TensorView, ReadsLongTensorsWhole) {
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 8;
  std::vector<float> out(values.size());
  ASSERT_TRUE(Stored<double>(ElementType::float64, values, 1).tensor.read(out).ok());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<float>(i) / 8);
}

TEST(TensorView, CopiesItsOwnTypeBitForBit) {
  const Stored<std::uint16_t> stored(ElementType::float16, {0x7e01, 0x8000}, 1);
  std::vector<Float16> out(2);
  ASSERT_TRUE(stored.tensor.read(out).ok());
  EXPECT_EQ(out[0].bits, 0x7e01);
  EXPECT_EQ(out[1].bits, 0x8000);
}

TEST(TensorView, ReadsNothingFromAnEmptyTensor) {
  const TensorView empty{.type = ElementType::float32, .type_name = "F32", .shape = {0, 8}};
  EXPECT_TRUE(empty.read(std::span<float>()).ok());
}

TEST(TensorView, RefusesWithoutWriting) {
  const Stored<std::uint16_t> halves(ElementType::float16, {0x3e00, 0x3e00});
  std::vector<float> few(1, 7.0f);
  expect_failure(halves.tensor.read(few), Code::shape, "out",
                 "tensor: out must have 2 elements, got 1");
  std::vector<Bfloat16> brains(2, Bfloat16{7});
  expect_failure(halves.tensor.read(brains), Code::value_range, "out",
                 "tensor: out must be float32 or of the tensor's type F?, got bfloat16");
  const Stored<std::uint16_t> whole(ElementType::other, {1, 2});
  std::vector<float> out(2, 7.0f);
  expect_failure(whole.tensor.read(out), Code::value_range, "type",
                 "tensor: type must be float32, float16, bfloat16 or float64, got F?");
  EXPECT_EQ(out, (std::vector<float>(2, 7.0f)));
  EXPECT_EQ(few[0], 7.0f);
  EXPECT_EQ(brains[1].bits, 7);
}

TEST(TensorView, ReadsWholeNumbersOfWholeNumbersOnly) {
  const Stored<std::int32_t> stored(ElementType::int32, {-5, 1 << 30}, 1);
  std::vector<std::int64_t> out(2);
  ASSERT_TRUE(stored.tensor.read_whole(out).ok());
  EXPECT_EQ(out, (std::vector<std::int64_t>{-5, 1 << 30}));
  std::vector<float> floats(2);
  EXPECT_EQ(stored.tensor.read(floats).field(), "type");
  expect_failure(stored.tensor.read_whole(std::span(out).first(1)), Code::shape, "out",
                 "tensor: out must have 2 elements, got 1");
  expect_failure(Stored<float>(ElementType::float32, {1, 2}).tensor.read_whole(out),
                 Code::value_range, "type", "tensor: type must be int64, int32 or uint8, got F?");
}

TEST(TensorView, RefusesToReadOntoTheFile) {
  Stored<float> floats(ElementType::float32, {1.0f, 2.0f});
  const Status status = floats.tensor.read(std::span(floats.memory).first(2));
  EXPECT_EQ(status.code(), Code::overlap);
  EXPECT_EQ(status.field(), "out");
}

}  // namespace
}  // namespace posenc
