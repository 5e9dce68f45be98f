#pragma once

#include <cstddef>
#include <span>

#include "posenc/core/result.hpp"
#include "posenc/model/tensor_view.hpp"

namespace posenc {

/// Reads NumPy's .npy format, versions 1 to 3, from the bytes of a file: float32, float16, float64,
/// int64, int32, uint8 and truth values, little-endian, in C order. The tensor views `file`.
///
/// Fails with MALFORMED for bytes that are no such file, also for data of another length than the
/// header says, VALUE_RANGE for a type or an order that is not read (the message has the NumPy call
/// that converts it), SIZE_LIMIT or OUT_OF_MEMORY. Time and memory: those of the header, at most
/// 1 MiB.
Result<TensorView> read_npy(std::span<const std::byte> file) noexcept;

}  // namespace posenc
