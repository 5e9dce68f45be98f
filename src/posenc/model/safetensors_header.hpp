#pragma once

// Private: the JSON header of a .safetensors file, without a look at the data.

#include <cstdint>
#include <string_view>
#include <vector>

#include "posenc/core/status.hpp"
#include "posenc/model/tensor_view.hpp"

namespace posenc::detail {

/// A tensor of the header and where its bytes start and end in the data, as the header says.
struct TensorEntry {
  TensorView tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The tensors of a header, in its order; names may be there twice. Throws std::bad_alloc alone.
Status read_safetensors_header(std::string_view json, std::vector<TensorEntry>& entries);

}  // namespace posenc::detail
