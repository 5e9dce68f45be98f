#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/core/result.hpp"
#include "posenc/model/tensor_view.hpp"

namespace posenc {

/// What a trained table of positions is for.
enum class TableKind : std::uint8_t {
  /// A row per position, token or patch: `Learned`, `Hierarchical`, `Interpolate`.
  absolute,
  /// LayoutLM's four tables of coordinates: `LayoutBoxes`.
  box_x,
  box_y,
  box_height,
  box_width,
  /// A row per bucket of distances, a column per head: `T5`.
  t5,
  /// A row per relative cell of a window, a column per head: `Swin`.
  swin,
  /// A row per distance along one axis: `Decomposed`.
  decomposed_height,
  decomposed_width,
  /// A row per relative position: `Deberta`, `Shaw`.
  deberta,
  shaw,
};

/// The word for a kind: its enumerator.
std::string_view table_kind_name(TableKind kind) noexcept;

/// A tensor that is a table of positions by its name.
struct PositionTable {
  TableKind kind = TableKind::absolute;
  /// Which part of the model it is of: its name without the numbers of layers, so that the tables
  /// of all layers are of one site, and those of an encoder and a decoder of two.
  std::string site{};
  /// Views the file.
  TensorView tensor{};
  /// Rows of all axes but the last, and the last: [1, 197, 768] has 197 rows and dim 768.
  std::size_t rows = 0;
  std::size_t dim = 0;
};

/// Which table is asked for.
struct TableQuery {
  std::optional<TableKind> kind{};
  /// The name must contain this: "decoder.".
  std::string_view within{};
};

/// The tensors that are tables of positions by their usual names, with any prefix: wpe.weight,
/// position_embeddings.weight, embed_positions.weight, pos_embed, relative_attention_bias.weight,
/// relative_position_bias_table, rel_pos_h, rel_embeddings.weight, distance_embedding.weight and
/// their like. Those of floats with two axes or more, by kind, site and layer, layer 2 before 10.
/// Throws std::bad_alloc.
std::vector<PositionTable> position_tables(std::span<const TensorView> tensors);

/// The one table that is asked for: of the first layer, where layers have one each. Which rows are
/// not positions (padding, class tokens) its name does not say: the caller's config does.
/// Fails with VALUE_RANGE where there is none (the message lists what the file has) or tables of
/// several sites fit (it lists them), OUT_OF_MEMORY.
Result<PositionTable> find_position_table(std::span<const TensorView> tensors,
                                          const TableQuery& query) noexcept;

}  // namespace posenc
