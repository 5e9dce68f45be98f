#include "posenc/model/position_tables.hpp"

#include <string>
#include <vector>

#include "helpers.hpp"
#include "posenc/additive/hierarchical.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/interpolate/interpolate.hpp"
#include "posenc/model/safetensors.hpp"
#include "support/tensor_files.hpp"

namespace posenc {
namespace {

using tests::bytes_of;
using tests::expect_failure;
using tests::SafetensorsWriter;
using tests::succeeded;

/// Tensors of two rows of one float each.
std::vector<TensorView> tensors_named(const std::vector<std::string>& names) {
  std::vector<TensorView> tensors;
  static constexpr std::byte kData[8] = {};
  for (const std::string& name : names) {
    tensors.push_back({.name = name, .type_name = "F32", .shape = {2, 1}, .bytes = kData});
  }
  return tensors;
}

TEST(PositionTables, KnowsTheUsualNamesWithAnyPrefix) {
  const std::vector<std::pair<std::string, TableKind>> names = {
      {"wpe.weight", TableKind::absolute},
      {"transformer.wpe.weight", TableKind::absolute},
      {"bert.embeddings.position_embeddings.weight", TableKind::absolute},
      {"vit.embeddings.position_embeddings", TableKind::absolute},
      {"model.decoder.embed_positions.weight", TableKind::absolute},
      {"text_model.embeddings.position_embedding.weight", TableKind::absolute},
      {"visual.positional_embedding", TableKind::absolute},
      {"pos_embed", TableKind::absolute},
      {"encoder.pos_embedding", TableKind::absolute},
      {"layoutlm.embeddings.x_position_embeddings.weight", TableKind::box_x},
      {"layoutlm.embeddings.y_position_embeddings.weight", TableKind::box_y},
      {"layoutlm.embeddings.h_position_embeddings.weight", TableKind::box_height},
      {"layoutlm.embeddings.w_position_embeddings.weight", TableKind::box_width},
      {"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", TableKind::t5},
      {"layers.0.blocks.1.attn.relative_position_bias_table", TableKind::swin},
      {"image_encoder.blocks.0.attn.rel_pos_h", TableKind::decomposed_height},
      {"image_encoder.blocks.0.attn.rel_pos_w", TableKind::decomposed_width},
      {"deberta.encoder.rel_embeddings.weight", TableKind::deberta},
      {"bert.encoder.layer.0.attention.self.distance_embedding.weight", TableKind::shaw},
  };
  for (const auto& [name, kind] : names) {
    const std::vector<PositionTable> tables = position_tables(tensors_named({name}));
    ASSERT_EQ(tables.size(), 1u) << name;
    EXPECT_EQ(tables[0].kind, kind) << name;
    EXPECT_EQ(tables[0].tensor.name, name);
  }
}

TEST(PositionTables, TakesWholeNamesOnly) {
  EXPECT_TRUE(position_tables(tensors_named({"my_wpe.weight", "wpe.weight.grad", "wpe",
                                             "pos_embed_proj", "h.0.attn.weight"}))
                  .empty());
}

TEST(PositionTables, TakesFloatsWithTwoAxesOnly) {
  std::vector<TensorView> tensors = tensors_named({"a.pos_embed", "b.pos_embed"});
  tensors[0].type = ElementType::int64;
  tensors[1].shape = {2};
  EXPECT_TRUE(position_tables(tensors).empty());
}

TEST(PositionTables, CountsRowsOverAllAxesButTheLast) {
  static constexpr std::byte kData[96] = {};
  const TensorView tensor{
      .name = "pos_embed", .type_name = "F32", .shape = {1, 2, 3, 4}, .bytes = kData};
  const std::vector<PositionTable> tables = position_tables({&tensor, 1});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].rows, 6u);
  EXPECT_EQ(tables[0].dim, 4u);
}

TEST(PositionTables, FindsTheTableOfTheFirstLayer) {
  const std::vector<TensorView> tensors =
      tensors_named({"h.10.attn.relative_position_bias_table", "h.2.attn.qkv.weight",
                     "h.2.attn.relative_position_bias_table"});
  const Result<PositionTable> found = find_position_table(tensors, {});
  ASSERT_TRUE(succeeded(found.status()));
  EXPECT_EQ(found.value().tensor.name, "h.2.attn.relative_position_bias_table");
  EXPECT_EQ(found.value().site, "h.*.attn.relative_position_bias_table");
}

TEST(PositionTables, ListsTablesOfSeveralSitesAndTakesTheOneAskedFor) {
  const std::vector<TensorView> tensors =
      tensors_named({"decoder.block.0.relative_attention_bias.weight",
                     "encoder.block.0.relative_attention_bias.weight", "wpe.weight"});
  expect_failure(find_position_table(tensors, {.kind = TableKind::t5}).status(), Code::value_range,
                 "table",
                 "table: 2 fit, say which: decoder.block.0.relative_attention_bias.weight, "
                 "encoder.block.0.relative_attention_bias.weight");
  const Result<PositionTable> found = find_position_table(tensors, {.within = "encoder."});
  ASSERT_TRUE(succeeded(found.status()));
  EXPECT_EQ(found.value().tensor.name, "encoder.block.0.relative_attention_bias.weight");
  EXPECT_EQ(find_position_table(tensors, {.kind = TableKind::absolute}).value().tensor.name,
            "wpe.weight");
}

TEST(PositionTables, ListsWhatThereIsWhenNoneFits) {
  expect_failure(find_position_table({}, {}).status(), Code::value_range, "table",
                 "table: no tensor has a usual name, there are: none");
  expect_failure(find_position_table(tensors_named({"a.weight", "b.weight"}), {}).status(),
                 Code::value_range, "table",
                 "table: no tensor has a usual name, there are: a.weight, b.weight");
  expect_failure(
      find_position_table(tensors_named({"wpe.weight"}), {.kind = TableKind::swin}).status(),
      Code::value_range, "table", "table: none is as asked for, there are: wpe.weight");
  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("layers." + std::to_string(i) + ".weight");
  expect_failure(find_position_table(tensors_named(many), {}).status(), Code::value_range, "table",
                 "table: no tensor has a usual name, there are: layers.0.weight, layers.1.weight, "
                 "layers.2.weight, layers.3.weight, layers.4.weight and 95 more");
}

TEST(PositionTables, KindsHaveTheirEnumeratorsNames) {
  EXPECT_EQ(table_kind_name(TableKind::absolute), "absolute");
  EXPECT_EQ(table_kind_name(TableKind::box_width), "box_width");
  EXPECT_EQ(table_kind_name(TableKind::decomposed_height), "decomposed_height");
  EXPECT_EQ(table_kind_name(TableKind::shaw), "shaw");
}

/// A file whose table has in row r and column c the number r + c / 4, and two rows before those of
/// positions, as OPT's has.
class TrainedFile : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 512, kDim = 4, kPrefix = 2;

  TrainedFile() {
    std::vector<float> rows(kPrefix * kDim, -1.0f);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t c = 0; c < kDim; ++c) rows.push_back(value(static_cast<double>(r), c));
    }
    SafetensorsWriter writer;
    writer.add("model.decoder.fc.weight", "F32", "1", bytes_of<float>({3}));
    writer.add("model.decoder.embed_positions.weight", "F32", "514,4", bytes_of(rows));
    file = writer.file();
    const auto tensors = read_safetensors(file).or_throw();
    found = find_position_table(tensors, {.kind = TableKind::absolute}).or_throw();
    table.resize(found.tensor.size());
    found.tensor.read(table).or_throw();
  }

  static float value(double row, std::size_t column) {
    return static_cast<float>(row + static_cast<double>(column) / 4);
  }

  tests::Bytes file;
  PositionTable found;
  std::vector<float> table;
};

TEST_F(TrainedFile, GivesTheRowsOfPositionsWithTheCallersOffset) {
  EXPECT_EQ(found.rows, 514u);
  EXPECT_EQ(found.dim, 4u);
  const Learned learned({.rows = table, .dim = found.dim, .row_offset = kPrefix});
  EXPECT_EQ(learned.max_positions(), 512);
  std::vector<float> row(kDim);
  learned.table(Positions::from(511, 1), row).or_throw();
  EXPECT_EQ(row, (std::vector<float>{511, 511.25f, 511.5f, 511.75f}));
}

TEST_F(TrainedFile, ReachesTwiceItsLengthByInterpolation) {
  const Interpolate interpolate({.from_height = kRows,
                                 .to_height = 2 * kRows,
                                 .dim = kDim,
                                 .mode = InterpolationMode::linear,
                                 .prefix_rows = kPrefix});
  std::vector<float> longer((kPrefix + 2 * kRows) * kDim);
  std::vector<double> workspace(interpolate.workspace_size());
  interpolate.apply(table, workspace, longer).or_throw();
  // New row r lies at old row (r + 0.5) / 2 - 0.5, and beyond the outer rows on them. All of these
  // are quarters, so a table that is linear in r comes out exactly.
  for (std::size_t r = 0; r < 2 * kRows; ++r) {
    const double at = std::clamp((static_cast<double>(r) + 0.5) / 2 - 0.5, 0.0, kRows - 1.0);
    for (std::size_t c = 0; c < kDim; ++c) {
      ASSERT_EQ(longer[(kPrefix + r) * kDim + c], value(at, c)) << "row " << r;
    }
  }
  for (std::size_t i = 0; i < kPrefix * kDim; ++i) EXPECT_EQ(longer[i], -1.0f);
}

TEST_F(TrainedFile, ReachesTwiceItsLengthByHierarchy) {
  const Hierarchical hierarchical(
      {.rows = std::span(table).subspan(kPrefix * kDim), .dim = kDim, .alpha = 0.2});
  std::vector<float> longer(2 * kRows * kDim);
  hierarchical.table(Positions::from(0, 2 * kRows), longer).or_throw();
  // Row p is row[p % n] + a * (row[p / n] - row[0]), a = 0.2 / 0.8 = 1/4; row 1 less row 0 is 1.
  for (std::size_t p = 0; p < 2 * kRows; ++p) {
    const double shift = p < kRows ? 0.0 : 0.25;
    for (std::size_t c = 0; c < kDim; ++c) {
      ASSERT_EQ(longer[p * kDim + c], value(static_cast<double>(p % kRows) + shift, c)) << p;
    }
  }
}

}  // namespace
}  // namespace posenc
