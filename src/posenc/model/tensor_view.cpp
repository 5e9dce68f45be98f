#include "posenc/model/tensor_view.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "posenc/core/check.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {
namespace {

static_assert(std::endian::native == std::endian::little, "files' bytes are taken as they lie");

constexpr const char* kEncoding = "tensor";

std::optional<StorageType> storage_type(ElementType type) noexcept {
  switch (type) {
    case ElementType::float32:
      return StorageType::float32;
    case ElementType::float16:
      return StorageType::float16;
    case ElementType::bfloat16:
      return StorageType::bfloat16;
    case ElementType::float64:
    case ElementType::other:
      break;
  }
  return std::nullopt;
}

/// Elements that are turned into floats at a time: the file's may lie at odd addresses, which
/// kernels are not to be given.
constexpr std::size_t kBlock = 256;

template <class Element>
void widen_blocks(std::span<const std::byte> bytes, float* out, auto&& widen) noexcept {
  Element block[kBlock];
  const std::size_t count = bytes.size() / sizeof(Element);
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t size = std::min(kBlock, count - first);
    std::memcpy(block, bytes.data() + first * sizeof(Element), size * sizeof(Element));
    widen(block, size, out + first);
  }
}

void widen(const TensorView& tensor, float* out) noexcept {
  const kernels::Kernels& kernel = kernels::active();
  if (tensor.type == ElementType::float64) {
    widen_blocks<double>(tensor.bytes, out, [&](const double* in, std::size_t size, float* to) {
      kernel.narrow_doubles(in, size, kernels::Rounding::nearest, to);
    });
  } else {
    const auto kernel_widen =
        tensor.type == ElementType::float16 ? kernel.widen_float16 : kernel.widen_bfloat16;
    widen_blocks<std::uint16_t>(
        tensor.bytes, out,
        [&](const std::uint16_t* in, std::size_t size, float* to) { kernel_widen(in, to, size); });
  }
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
  if (type == ElementType::other) {
    return Status::failure(Code::value_range, "type",
                           "tensor: type must be float32, float16, bfloat16 or float64, got %.32s",
                           type_name.c_str());
  }
  if (out.type() != storage && out.type() != StorageType::float32) {
    return Status::failure(Code::value_range, "out",
                           "tensor: out must be float32 or of the tensor's type %.32s, got %s",
                           type_name.c_str(), storage_name(out.type()));
  }
  POSENC_RETURN_IF_FAILED(
      detail::check_shape(kEncoding, "out", out.size(), "[the tensor's size]", {size()}));
  const ConstFloats whole(bytes.data(), bytes.size() / 2, StorageType::float16);
  POSENC_RETURN_IF_FAILED(detail::check_apart(kEncoding, "out", out, "the file", whole));
  if (bytes.empty()) return {};
  if (out.type() == storage) {
    std::memcpy(out.data(), bytes.data(), bytes.size());
  } else {
    widen(*this, static_cast<float*>(out.data()));
  }
  return {};
}

}  // namespace posenc
