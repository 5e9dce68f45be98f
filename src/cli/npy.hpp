#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace posenc::cli {

/// The header of a .npy file, version 1.0, for float32 in C order: what NumPy's `save` writes, its
/// length a multiple of 64 so that the data can be mapped.
std::string npy_header(std::span<const std::uint64_t> shape);

/// A float32 array read from a file.
struct NpyArray {
  std::vector<std::uint64_t> shape;
  std::vector<float> data;
};

/// Reads a .npy file (version 1, 2 or 3, '<f4', C order). Throws IoError with the file's name and
/// what is wrong with it.
NpyArray read_npy(const std::string& path);

/// As `read_npy`, for an array with two axes, called `axes` in the message when it has not.
NpyArray read_matrix(const std::string& path, const std::string& axes);

}  // namespace posenc::cli
