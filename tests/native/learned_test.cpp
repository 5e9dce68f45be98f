#include "posenc/additive/learned.hpp"

#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/core/position_ids.hpp"

namespace posenc {
namespace {

using namespace tests;

/// Row r, column c holds 10 r + c.
std::vector<float> numbered_rows(std::size_t rows, std::size_t dim) {
  std::vector<float> values(rows * dim);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / dim;
    values[i] = static_cast<float>(10 * row + i % dim);
  }
  return values;
}

std::vector<float> table_of(const Learned& encoding, const Positions& positions) {
  std::vector<float> out(positions.size() * encoding.config().dim);
  EXPECT_TRUE(succeeded(encoding.table(positions, out)));
  return out;
}

TEST(Learned, RowsAreReadByPosition) {
  const std::vector<float> rows = numbered_rows(4, 3);
  const Learned encoding({.rows = rows, .dim = 3});
  EXPECT_EQ(table_of(encoding, Positions::from(1, 2)),
            (std::vector<float>{10, 11, 12, 20, 21, 22}));
  const std::int32_t any_order[] = {3, 0, 3};
  EXPECT_EQ(table_of(encoding, Positions::of(any_order)),
            (std::vector<float>{30, 31, 32, 0, 1, 2, 30, 31, 32}));
  EXPECT_EQ(encoding.max_positions(), 4);
}

// Kind roberta-positions: OPT and BART keep two rows in front, RoBERTa padding_idx + 1.
TEST(Learned, RowOffsetSkipsRowsInFront) {
  const std::vector<float> rows = numbered_rows(5, 1);
  const Learned encoding({.rows = rows, .dim = 1, .row_offset = 2});
  EXPECT_EQ(encoding.max_positions(), 3);
  EXPECT_EQ(table_of(encoding, Positions::from(0, 3)), (std::vector<float>{20, 30, 40}));
  EXPECT_EQ(table_of(encoding, Positions::from(-2, 2)), (std::vector<float>{0, 10}));
}

// The same kind: RoBERTa's 514 rows hold 512 tokens.
TEST(Learned, RobertasLongestSequenceIsTwoShorterThanItsTable) {
  const std::vector<float> rows = numbered_rows(514, 1);
  const Learned encoding({.rows = rows, .dim = 1});
  for (const std::size_t tokens : {512u, 513u}) {
    const std::vector<std::int32_t> ids(tokens, 31);
    std::vector<std::int32_t> positions(tokens);
    ASSERT_TRUE(succeeded(roberta_positions(ids, 1, 1, 0, std::span(positions))));
    std::vector<float> out(tokens);
    const Status status = encoding.table(Positions::of(std::span(positions)), out);
    EXPECT_EQ(status.ok(), tokens == 512) << tokens;
    if (status.ok()) {
      EXPECT_EQ(out.front(), 20.0f);
      EXPECT_EQ(out.back(), 5130.0f);
    } else {
      EXPECT_EQ(status.code(), Code::position_range);
      EXPECT_EQ(status.field(), "positions");
    }
  }
}

TEST(Learned, RowsAreCopiedBitForBit) {
  const std::vector<float> rows{-0.0f, 1e-45f, kInfinity, std::bit_cast<float>(0x7fc12345u)};
  const Learned encoding({.rows = rows, .dim = 4});
  const std::vector<float> out = table_of(encoding, Positions::from(0, 1));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(rows[i]));
  }
}

TEST(Learned, KeepsAViewOfTheCallersRows) {
  std::vector<float> rows = numbered_rows(2, 2);
  const Learned encoding({.rows = rows, .dim = 2});
  rows[3] = 99;
  EXPECT_EQ(table_of(encoding, Positions::from(1, 1)), (std::vector<float>{10, 99}));
}

TEST(Learned, AddIsOneAdditionEachForEveryWidth) {
  for (std::size_t dim = 1; dim <= 33; ++dim) {
    Random random(dim);
    const std::vector<float> rows = random.floats(3 * dim);
    const Learned encoding({.rows = rows, .dim = dim});
    std::vector<float> expected = random.floats(2 * dim);
    Guarded x(expected, dim % 4), table(2 * dim, (dim + 1) % 4);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += rows[dim + i];
    ASSERT_TRUE(succeeded(encoding.add(Positions::from(1, 2), x.span())));
    ASSERT_TRUE(succeeded(encoding.table(Positions::from(1, 2), table.span())));
    EXPECT_TRUE(same_bits(x.span(), expected)) << dim;
    EXPECT_TRUE(same_bits(table.span(), std::span(rows).subspan(dim))) << dim;
  }
}

TEST(Learned, NoPositionsWriteNothing) {
  const std::vector<float> rows(4);
  const Learned encoding({.rows = rows, .dim = 4});
  Guarded out(0);
  EXPECT_TRUE(succeeded(encoding.table(Positions(), out.span())));
  EXPECT_TRUE(succeeded(encoding.add(Positions(), out.span())));
}

TEST(Learned, ConfigsOutsideTheirRangeAreRejected) {
  const std::vector<float> rows(12);
  const auto rejected = [](const LearnedConfig& config, Code code, std::string_view field,
                           std::string_view message) {
    expect_failure(check(config), code, field, message);
    expect_failure(make(config).status(), code, field, message);
    EXPECT_THROW(Learned{config}, Error);
  };
  rejected({.rows = rows}, Code::value_range, "dim", "learned: dim must be 1 to 16777216, got 0");
  rejected({.dim = 4}, Code::shape, "rows",
           "learned: rows must have a positive multiple of dim = 4 elements, got 0");
  rejected({.rows = rows, .dim = 5}, Code::shape, "rows",
           "learned: rows must have a positive multiple of dim = 5 elements, got 12");
  rejected({.rows = rows, .dim = 4, .row_offset = 3}, Code::value_range, "row_offset",
           "learned: row_offset must be 0 to rows - 1 = 2, got 3");
  rejected({.rows = rows, .dim = 4, .row_offset = -1}, Code::value_range, "row_offset",
           "learned: row_offset must be 0 to rows - 1 = 2, got -1");
}

TEST(Learned, WrongCallsWriteNothingAndTheNextOneWorks) {
  Guarded memory(12 + 8);
  const std::span<float> rows = memory.span().first(12);
  const Learned encoding({.rows = rows, .dim = 4, .row_offset = 1});
  const std::span<float> out = memory.span().last(8);
  for (const bool adds : {false, true}) {
    const auto call = [&](const Positions& positions, std::span<float> target) {
      return adds ? encoding.add(positions, target) : encoding.table(positions, target);
    };
    const std::string field = adds ? "x" : "out", name = "learned: " + field;
    expect_failure(call(Positions::from(0, 2), out.first(7)), Code::shape, field,
                   name + " must have positions * dim = 2 * 4 = 8 elements, got 7");
    expect_failure(call(Positions::from(0, std::numeric_limits<std::size_t>::max()), out),
                   Code::size_limit, field, too_many(name));
    expect_failure(call(Positions::from(0, 2), rows.first(8)), Code::overlap, field,
                   name + " must not overlap rows");
    expect_failure(call(Positions::from(0, 2), memory.span().subspan(11, 8)), Code::overlap, field,
                   name + " must not overlap rows");
    const std::string no_row =
        " has no row: the table reaches -1 to 1; interpolate it or train a "
        "longer one to go further";
    expect_failure(call(Positions::from(1, 2), out), Code::position_range, "positions",
                   "learned: position 2" + no_row);
    expect_failure(call(Positions::from(-2, 2), out), Code::position_range, "positions",
                   "learned: position -2" + no_row);
    expect_failure(call(Positions::from(kMaxPosition, 2), out), Code::position_range, "positions",
                   "learned: positions must be finite and at most 1125899906842624 in magnitude, "
                   "got 1125899906842625");
    const double fraction[] = {0, 0.5}, nan[] = {0, kNaN};
    expect_failure(call(Positions::of(fraction), out), Code::position_range, "positions",
                   "learned: positions must be whole numbers, got 0.5");
    expect_failure(call(Positions::of(nan), out), Code::position_range, "positions",
                   "learned: positions must be finite and at most 1125899906842624 in magnitude, "
                   "got nan");
    EXPECT_TRUE(memory.untouched());
  }
  EXPECT_TRUE(succeeded(encoding.add(Positions::from(0, 2), out)));
  EXPECT_EQ(out[0], kUnwritten + kUnwritten);
}

}  // namespace
}  // namespace posenc
