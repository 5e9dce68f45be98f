#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "posenc/core/storage.hpp"
#include "posenc/model/position_tables.hpp"

namespace posenc::cli {

/// Trained weights, queries and keys come from files: a .npy file, or a tensor of a .safetensors
/// file, FILE.safetensors:NAME. Without a name a file's only tensor is meant, or its only table of
/// positions by its usual name. All throw IoError with the file's name and what is wrong with it.

/// A tensor in float32.
struct FileTensor {
  std::vector<std::uint64_t> shape;
  std::vector<float> data;

  std::size_t columns() const { return static_cast<std::size_t>(shape.back()); }
  std::size_t rows() const { return data.size() / columns(); }
};

/// With at least as many axes as `axes` names ("rows, dim"); longer shapes have their first axes
/// made one, so that [1, 197, 768] is a matrix and [batch, heads, queries, head_dim] has heads
/// including the batch. No axis but the first may be empty.
FileTensor read_tensor(const std::string& place, const std::string& axes,
                       std::optional<TableKind> kind = {});

/// A number for each of any axes.
std::vector<float> read_vector(const std::string& place);

/// Whole numbers [rows, columns]; one axis is one row.
struct WholeMatrix {
  std::size_t rows = 0;
  std::vector<std::int64_t> data;

  std::size_t columns() const { return rows == 0 ? 0 : data.size() / rows; }
};
WholeMatrix read_whole_matrix(const std::string& place);

/// A flag whose value is such a place.
CLI::Option* add_place(CLI::App& app, const std::string& name, std::string& place,
                       const std::string& description);

}  // namespace posenc::cli
