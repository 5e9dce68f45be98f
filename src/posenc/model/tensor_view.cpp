#include "posenc/model/tensor_view.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "posenc/core/check.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {
namespace {

static_assert(std::endian::native == std::endian::little, "files' bytes are taken as they lie");

std::optional<StorageType> storage_type(ElementType type) noexcept {
  if (type == ElementType::float32) return StorageType::float32;
  if (type == ElementType::float16) return StorageType::float16;
  if (type == ElementType::bfloat16) return StorageType::bfloat16;
  return std::nullopt;
}

/// Elements that are converted at a time: the file's may lie at odd addresses, which kernels are
/// not to be given.
constexpr std::size_t kBlock = 256;

/// convert(block, size, first) for blocks of the file's elements.
template <class Element, class Convert>
void for_blocks(std::span<const std::byte> bytes, const Convert& convert) noexcept {
  Element block[kBlock];
  const std::size_t count = bytes.size() / sizeof(Element);
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t size = std::min(kBlock, count - first);
    std::memcpy(block, bytes.data() + first * sizeof(Element), size * sizeof(Element));
    convert(block, size, first);
  }
}

/// Of the types that are no storage type of their own: float64, or a 16-bit one.
void read_as_float32(const TensorView& tensor, float* out) noexcept {
  const kernels::Kernels& kernel = kernels::active();
  if (tensor.type == ElementType::float64) {
    for_blocks<double>(tensor.bytes, [&](const double* in, std::size_t size, std::size_t first) {
      kernel.narrow_doubles(in, size, kernels::Rounding::nearest, out + first);
    });
    return;
  }
  const auto widen =
      tensor.type == ElementType::float16 ? kernel.widen_float16 : kernel.widen_bfloat16;
  for_blocks<std::uint16_t>(tensor.bytes, [&](const std::uint16_t* in, std::size_t size,
                                              std::size_t first) { widen(in, out + first, size); });
}

template <class Element>
void copy_whole(std::span<const std::byte> bytes, std::span<std::int64_t> out) noexcept {
  for_blocks<Element>(bytes, [&](const Element* in, std::size_t size, std::size_t first) {
    std::copy_n(in, size, out.subspan(first).begin());
  });
}

/// What every reader asks of `out`, of which `out_bytes` are the memory.
Status check_out(const TensorView& tensor, std::size_t out_size, ConstFloats out_bytes) noexcept {
  if (out_size != tensor.size()) {
    return Status::failure(Code::shape, "out", "tensor: out must have %zu elements, got %zu",
                           tensor.size(), out_size);
  }
  // Overlap is a matter of bytes, of which these elements are two each.
  const ConstFloats file(tensor.bytes.data(), tensor.bytes.size() / 2, StorageType::float16);
  return detail::check_apart("tensor", "out", out_bytes, "the file", file);
}

}  // namespace

std::size_t TensorView::size() const noexcept {
  std::size_t count = 1;
  for (const std::size_t length : shape) count *= length;
  return count;
}

std::optional<ConstFloats> TensorView::view() const noexcept {
  const std::optional<StorageType> storage = storage_type(type);
  if (!storage) return std::nullopt;
  const std::size_t width = storage_size(*storage);
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % width != 0) return std::nullopt;
  return ConstFloats(bytes.data(), bytes.size() / width, *storage);
}

Status TensorView::read(Floats out) const noexcept {
  const std::optional<StorageType> storage = storage_type(type);
  if (!storage && type != ElementType::float64) {
    return Status::failure(Code::value_range, "type",
                           "tensor: type must be float32, float16, bfloat16 or float64, got %.24s",
                           type_name.c_str());
  }
  if (out.type() != storage && out.type() != StorageType::float32) {
    return Status::failure(Code::value_range, "out",
                           "tensor: out must be float32 or of the tensor's type %.24s, got %s",
                           type_name.c_str(), storage_name(out.type()));
  }
  POSENC_RETURN_IF_FAILED(check_out(*this, out.size(), out));
  if (bytes.empty()) return {};
  if (out.type() == storage) {
    std::memcpy(out.data(), bytes.data(), bytes.size());
  } else {
    read_as_float32(*this, static_cast<float*>(out.data()));
  }
  return {};
}

Status TensorView::read_whole(std::span<std::int64_t> out) const noexcept {
  const bool whole =
      type == ElementType::int64 || type == ElementType::int32 || type == ElementType::uint8;
  if (!whole) {
    return Status::failure(Code::value_range, "type",
                           "tensor: type must be int64, int32 or uint8, got %.24s",
                           type_name.c_str());
  }
  const ConstFloats out_bytes(out.data(), out.size() * 2, StorageType::float32);
  POSENC_RETURN_IF_FAILED(check_out(*this, out.size(), out_bytes));
  if (type == ElementType::int64) copy_whole<std::int64_t>(bytes, out);
  if (type == ElementType::int32) copy_whole<std::int32_t>(bytes, out);
  if (type == ElementType::uint8) copy_whole<std::uint8_t>(bytes, out);
  return {};
}

}  // namespace posenc
