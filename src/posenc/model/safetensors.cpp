#include "posenc/model/safetensors.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <tuple>
#include <utility>

#include "posenc/core/check.hpp"
#include "posenc/model/safetensors_header.hpp"
#include "posenc/model/shown_name.hpp"

namespace posenc {
namespace {

using detail::ShownName;
using detail::TensorEntry;

constexpr std::size_t kLengthBytes = 8;
/// The limit of the format's own library.
constexpr std::uint64_t kMaxHeader = 100'000'000;

/// Splits a file into the text of its header and its data.
Status split(std::span<const std::byte> file, std::string_view& header,
             std::span<const std::byte>& data) noexcept {
  std::uint64_t length = 0;
  if (file.size() < kLengthBytes) {
    return Status::failure(Code::malformed, "header",
                           "safetensors: header's length is 8 bytes, the file has %zu",
                           file.size());
  }
  std::memcpy(&length, file.data(), kLengthBytes);
  const std::span<const std::byte> rest = file.subspan(kLengthBytes);
  if (length > kMaxHeader || length > rest.size()) {
    return Status::failure(Code::malformed, "header",
                           "safetensors: header must be within the file and 100 MB, its length is "
                           "%llu of %zu bytes",
                           static_cast<unsigned long long>(length), rest.size());
  }
  const auto size = static_cast<std::size_t>(length);
  header = {reinterpret_cast<const char*>(rest.data()), size};
  data = rest.subspan(size);
  if (header.starts_with('{')) return {};
  return Status::failure(Code::malformed, "header", "safetensors: header must start with '{'");
}

/// Bytes of an element; 0 for types that are not known here, which may have less than one.
std::size_t element_size(const TensorView& tensor) noexcept {
  constexpr std::pair<std::string_view, std::size_t> kSizes[] = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
      {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8},
  };
  for (const auto& [word, size] : kSizes) {
    if (word == tensor.type_name) return size;
  }
  return 0;
}

/// The shape must have the elements that its bytes hold.
Status check_shape(const TensorEntry& entry) noexcept {
  const std::size_t width = element_size(entry.tensor);
  if (width == 0) return {};
  const std::vector<std::size_t>& shape = entry.tensor.shape;
  const std::uint64_t bytes = entry.end - entry.begin;
  std::uint64_t size = std::ranges::find(shape, std::size_t{0}) == shape.end() ? width : 0;
  for (const std::size_t length : shape) {
    if (size == 0 || length == 0) break;
    // Once more than the bytes of the file, it stays more.
    size = length > bytes / size ? bytes + 1 : size * length;
  }
  if (size == bytes) return {};
  return Status::failure(
      Code::malformed, "shape", "safetensors: '%s': shape and dtype must fit its %llu bytes",
      ShownName(entry.tensor.name).c_str(), static_cast<unsigned long long>(bytes));
}

/// Every byte of the data must be of one tensor.
Status place(std::vector<TensorEntry>& entries, std::span<const std::byte> data) {
  std::ranges::sort(entries, [](const TensorEntry& a, const TensorEntry& b) {
    return std::tie(a.begin, a.end, a.tensor.name) < std::tie(b.begin, b.end, b.tensor.name);
  });
  std::uint64_t end = 0;
  for (TensorEntry& entry : entries) {
    if (entry.begin != end || entry.end < entry.begin || entry.end > data.size()) {
      return Status::failure(
          Code::malformed, "data_offsets",
          "safetensors: '%s': data_offsets must go from %llu on to at most %zu, got %llu to %llu",
          ShownName(entry.tensor.name).c_str(), static_cast<unsigned long long>(end), data.size(),
          static_cast<unsigned long long>(entry.begin), static_cast<unsigned long long>(entry.end));
    }
    POSENC_RETURN_IF_FAILED(check_shape(entry));
    end = entry.end;
    entry.tensor.bytes = data.subspan(static_cast<std::size_t>(entry.begin),
                                      static_cast<std::size_t>(entry.end - entry.begin));
  }
  if (end == data.size()) return {};
  return Status::failure(Code::malformed, "data_offsets",
                         "safetensors: data_offsets end at %llu, the data at %zu",
                         static_cast<unsigned long long>(end), data.size());
}

Result<std::vector<TensorView>> read(std::span<const std::byte> file) {
  std::string_view header;
  std::span<const std::byte> data;
  if (const Status status = split(file, header, data); !status.ok()) return status;
  std::vector<TensorEntry> entries;
  const Status status = detail::read_safetensors_header(header, entries);
  if (!status.ok()) return status;
  if (const Status placed = place(entries, data); !placed.ok()) return placed;
  std::vector<TensorView> tensors;
  tensors.reserve(entries.size());
  for (TensorEntry& entry : entries) tensors.push_back(std::move(entry.tensor));
  std::ranges::sort(tensors, {}, &TensorView::name);
  const auto twice = std::ranges::adjacent_find(tensors, {}, &TensorView::name);
  if (twice != tensors.end()) {
    return Status::failure(Code::malformed, "name", "safetensors: name '%s' is there twice",
                           ShownName(twice->name).c_str());
  }
  return tensors;
}

}  // namespace

Result<std::vector<TensorView>> read_safetensors(std::span<const std::byte> file) noexcept {
  try {
    return read(file);
  } catch (const std::bad_alloc&) {
    return Status::failure(Code::out_of_memory, "header",
                           "safetensors: header needs more memory than could be had");
  }
}

const TensorView* find_tensor(std::span<const TensorView> tensors, std::string_view name) noexcept {
  const auto found = std::ranges::lower_bound(tensors, name, {}, &TensorView::name);
  return found != tensors.end() && found->name == name ? &*found : nullptr;
}

}  // namespace posenc
