#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace posenc::cli {

/// The header of a .npy file, version 1.0, in C order: what NumPy's `save` writes, its length a
/// multiple of 64 so that the data can be mapped. `type` is NumPy's word: "<f4".
std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape);

}  // namespace posenc::cli
