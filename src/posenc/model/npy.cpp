#include "posenc/model/npy.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "posenc/model/shown_name.hpp"

namespace posenc {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// Far more than any header of a plain array needs.
constexpr std::size_t kMaxHeader = std::size_t{1} << 20;
/// NumPy's own limit.
constexpr std::size_t kMaxAxes = 64;

struct TypeWord {
  std::string_view word;
  ElementType type;
  std::size_t size;
};
constexpr TypeWord kTypes[] = {
    {"<f4", ElementType::float32, 4}, {"<f2", ElementType::float16, 2},
    {"<f8", ElementType::float64, 8}, {"<i8", ElementType::int64, 8},
    {"<i4", ElementType::int32, 4},   {"|u1", ElementType::uint8, 1},
    {"|b1", ElementType::uint8, 1},
};

Status damaged(const char* what) noexcept {
  return Status::failure(Code::malformed, "header", "npy: header is damaged: %s", what);
}

/// The three values of a header.
struct Header {
  std::string_view descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::size_t>> shape;
};

/// The Python dictionary of a header, read from the left. Each function is false, and what is left
/// of no use, where the text is another.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) noexcept : rest_(text) {}

  /// The whole dictionary, each key once, and nothing after it.
  bool read(Header& header) {
    if (!take("{")) return false;
    while (!take("}")) {
      std::string_view key;
      if (!quoted(key) || !take(":") || !value(key, header)) return false;
      if (!take(",") && !rest_.starts_with('}')) return false;
    }
    skip_blanks();
    return rest_.empty();
  }

 private:
  void skip_blanks() noexcept {
    const std::size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }

  bool take(std::string_view word) noexcept {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    skip_blanks();
    return true;
  }

  bool quoted(std::string_view& text) noexcept {
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return false;
    text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool value(std::string_view key, Header& header) {
    if (key == "descr") return header.descr.empty() && descr(header.descr);
    if (key == "fortran_order") {
      if (header.fortran_order) return false;
      if (take("True")) header.fortran_order = true;
      if (take("False")) header.fortran_order = false;
      return header.fortran_order.has_value();
    }
    return key == "shape" && !header.shape && tuple(header.shape.emplace());
  }

  /// A word, or a list for types with fields, which is taken as it stands up to its end.
  bool descr(std::string_view& text) noexcept {
    if (!rest_.starts_with('[')) return quoted(text) && !text.empty();
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) return false;
    text = rest_.substr(0, end + 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  /// "(3, 4)", "(5,)" or "()".
  bool tuple(std::vector<std::size_t>& shape) {
    if (!take("(")) return false;
    while (!take(")")) {
      std::uint64_t length = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
      if (error != std::errc{} || !std::in_range<std::size_t>(length)) return false;
      if (shape.size() == kMaxAxes) return false;
      shape.push_back(static_cast<std::size_t>(length));
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      take("L");  // Python 2 wrote it
      if (!take(",") && (shape.size() == 1 || !rest_.starts_with(')'))) return false;
    }
    return true;
  }

  std::string_view rest_;
};

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Splits a file into the text of its header and its data.
Status split(std::span<const std::byte> file, std::string_view& header,
             std::span<const std::byte>& data) noexcept {
  if (!text_of(file).starts_with(kMagic)) {
    return Status::failure(Code::malformed, "header",
                           "npy: the file does not start as a .npy file");
  }
  const std::size_t version = file.size() > 6 ? std::to_integer<std::size_t>(file[6]) : 0;
  if (file.size() > 6 && (version < 1 || version > 3)) {
    return Status::failure(Code::malformed, "header", "npy: version must be 1 to 3, got %zu",
                           version);
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = 8 + length_bytes;
  if (file.size() < start) return damaged("the file ends in it");
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, length_bytes);
  if (length > file.size() - start) return damaged("the file ends in it");
  if (length > kMaxHeader) return damaged("it is longer than 1 MiB");
  header = text_of(file.subspan(start, length));
  data = file.subspan(start + length);
  return {};
}

Status check_header(const Header& header, const TypeWord* type) noexcept {
  if (type == nullptr) {
    return Status::failure(Code::value_range, "descr",
                           "npy: descr must be '<f4', '<f2', '<f8', '<i8', '<i4', '|u1' or '|b1', "
                           "got '%s': convert it in NumPy with array.astype('<f4')",
                           detail::ShownName(header.descr).c_str());
  }
  if (*header.fortran_order) {
    return Status::failure(Code::value_range, "fortran_order",
                           "npy: fortran_order must be False, got True: convert the array in NumPy "
                           "with numpy.ascontiguousarray(array)");
  }
  return {};
}

/// SIZE_LIMIT, or MALFORMED where the data has another length than the shape.
Status check_size(const std::vector<std::size_t>& shape, std::size_t element_size,
                  std::size_t data_size) noexcept {
  std::size_t size = element_size;
  for (const std::size_t length : shape) size = length == 0 ? 0 : size;
  for (const std::size_t length : shape) {
    if (size == 0) break;
    if (length > PTRDIFF_MAX / size) {
      return Status::failure(Code::size_limit, "shape",
                             "npy: shape has more elements than memory can hold");
    }
    size *= length;
  }
  if (size == data_size) return {};
  return Status::failure(Code::malformed, "shape",
                         "npy: shape needs %zu bytes of data, the file has %zu", size, data_size);
}

Result<TensorView> read(std::span<const std::byte> file) {
  std::string_view text;
  TensorView tensor;
  if (const Status status = split(file, text, tensor.bytes); !status.ok()) return status;
  Header header;
  if (!HeaderText(text).read(header)) return damaged("it is not a dictionary as NumPy writes it");
  if (header.descr.empty() || !header.fortran_order || !header.shape) {
    return damaged("it must have descr, fortran_order and shape");
  }
  const TypeWord* type = nullptr;
  for (const TypeWord& known : kTypes) {
    if (known.word == header.descr) type = &known;
  }
  if (const Status status = check_header(header, type); !status.ok()) return status;
  tensor.type = type->type;
  tensor.type_name = type->word;
  tensor.shape = *std::move(header.shape);
  const Status status = check_size(tensor.shape, type->size, tensor.bytes.size());
  if (!status.ok()) return status;
  return tensor;
}

}  // namespace

Result<TensorView> read_npy(std::span<const std::byte> file) noexcept {
  try {
    return read(file);
  } catch (const std::bad_alloc&) {
    return Status::failure(Code::out_of_memory, "header",
                           "npy: header needs more memory than "
                           "could be had");
  }
}

}  // namespace posenc
