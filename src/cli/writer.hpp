#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/progress.hpp"
#include "cli/tensor.hpp"

namespace posenc::cli {

enum class Format : std::uint8_t { npy, csv, json };

/// What the flags say about the output.
struct OutputOptions {
  /// A file, or "-" for standard output.
  std::string path = "-";
  /// Not given: by the file's extension; CSV on standard output.
  std::optional<Format> format;
  bool progress = false;
  bool quiet = false;
};

/// Computes `tensor` block by block and writes it. Throws UsageError before anything is computed
/// when the format is unclear, IoError when writing fails.
void write_tensor(const Tensor& tensor, const OutputOptions& options);

/// The same for positions, of std::int64_t or double, which npy holds as '<i8' and '<f8'.
template <class Value>
void write_positions(const TensorOf<Value>& tensor, const OutputOptions& options);

}  // namespace posenc::cli
