#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/core/result.hpp"
#include "posenc/model/tensor_view.hpp"

namespace posenc {

/// Reads the .safetensors format from the bytes of a file: its tensors, of any type, sorted by
/// name. They view `file`.
///
/// What the format forbids is an error, MALFORMED with the field (header, name, dtype, shape,
/// data_offsets): a header that is longer than the file or 100 MB or no JSON of the format's form,
/// a name twice, a shape that does not fit its bytes, bytes of two tensors or of none. SIZE_LIMIT
/// for a dimension that memory cannot hold, OUT_OF_MEMORY. Time: n log n in the number of tensors;
/// memory: a few times the header.
Result<std::vector<TensorView>> read_safetensors(std::span<const std::byte> file) noexcept;

/// The tensor of that name among tensors sorted by name, or null.
const TensorView* find_tensor(std::span<const TensorView> tensors, std::string_view name) noexcept;

}  // namespace posenc
