#include "posenc/model/safetensors_header.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "posenc/model/shown_name.hpp"

namespace posenc::detail {
namespace {

using Json = nlohmann::json;

/// More than any tensor has; it bounds what a header of small numbers can ask for.
constexpr std::size_t kMaxAxes = 64;

struct TypeWord {
  std::string_view word;
  ElementType type;
};
constexpr TypeWord kTypes[] = {
    {"F32", ElementType::float32}, {"F16", ElementType::float16}, {"BF16", ElementType::bfloat16},
    {"F64", ElementType::float64}, {"I64", ElementType::int64},   {"I32", ElementType::int32},
    {"U8", ElementType::uint8},    {"BOOL", ElementType::uint8},
};

ElementType type_of(std::string_view word) noexcept {
  for (const TypeWord& known : kTypes) {
    if (known.word == word) return known.type;
  }
  return ElementType::other;
}

/// What nlohmann-json's parser calls for each piece of the text. The format has one form alone,
///
///     {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [2], "data_offsets":
///     [0, 8]}}
///
/// so that every place allows few things; the first that is not allowed ends the parsing, however
/// deep the rest may be nested.
class HeaderHandler {
 public:
  explicit HeaderHandler(std::vector<TensorEntry>& entries) : entries_(entries) {}

  Status status() const noexcept { return status_; }
  bool is_complete() const noexcept { return place_ == Place::end; }

  bool null() { return unexpected(); }
  bool boolean(bool) { return unexpected(); }
  bool number_integer(Json::number_integer_t) { return unexpected(); }
  bool number_float(Json::number_float_t, const std::string&) { return unexpected(); }
  bool binary(Json::binary_t&) { return unexpected(); }

  bool number_unsigned(Json::number_unsigned_t value) {
    if (place_ == Place::offsets) return offset(value);
    if (place_ != Place::shape) return unexpected();
    std::vector<std::size_t>& shape = entries_.back().tensor.shape;
    if (shape.size() == kMaxAxes) {
      return fail(Code::malformed, "shape", "shape must have at most 64 axes");
    }
    if (!std::in_range<std::size_t>(value)) {
      return fail(Code::size_limit, "shape", "shape has an axis longer than memory can hold");
    }
    shape.push_back(static_cast<std::size_t>(value));
    return true;
  }

  bool string(std::string& text) {
    if (place_ == Place::metadata) return true;
    if (place_ != Place::dtype) return unexpected();
    TensorView& tensor = entries_.back().tensor;
    tensor.type = type_of(text);
    tensor.type_name = std::move(text);
    place_ = Place::tensor;
    return true;
  }

  bool key(std::string& text) {
    if (place_ == Place::metadata) return true;
    if (place_ == Place::tensor) return tensor_key(text);
    if (place_ != Place::names) return unexpected();
    if (text == "__metadata__") {
      if (std::exchange(has_metadata_, true)) {
        return fail(Code::malformed, "name", "__metadata__ is there twice");
      }
      place_ = Place::metadata_start;
      return true;
    }
    entries_.emplace_back().tensor.name = std::move(text);
    seen_[0] = seen_[1] = seen_[2] = false;
    place_ = Place::tensor_start;
    return true;
  }

  bool start_object(std::size_t) {
    switch (place_) {
      case Place::start:
        place_ = Place::names;
        return true;
      case Place::metadata_start:
        place_ = Place::metadata;
        return true;
      case Place::tensor_start:
        place_ = Place::tensor;
        return true;
      default:
        return unexpected();
    }
  }

  bool end_object() {
    if (place_ == Place::names) {
      place_ = Place::end;
      return true;
    }
    if (place_ == Place::tensor && !(seen_[0] && seen_[1] && seen_[2])) {
      return fail(Code::malformed, "header", "must have dtype, shape and data_offsets");
    }
    place_ = Place::names;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ == Place::shape_start) {
      place_ = Place::shape;
    } else if (place_ == Place::offsets_start) {
      place_ = Place::offsets;
    } else {
      return unexpected();
    }
    return true;
  }

  bool end_array() {
    if (place_ == Place::offsets && offsets_ != 2) {
      return fail(Code::malformed, "data_offsets", "data_offsets must be two numbers");
    }
    place_ = Place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception&) {
    status_ = Status::failure(Code::malformed, "header",
                              "safetensors: header is no JSON at byte %zu", position);
    return false;
  }

 private:
  enum class Place {
    start,
    names,
    metadata_start,
    metadata,
    tensor_start,
    tensor,
    dtype,
    shape_start,
    shape,
    offsets_start,
    offsets,
    end,
  };

  bool tensor_key(const std::string& text) {
    constexpr std::string_view kKeys[] = {"dtype", "shape", "data_offsets"};
    constexpr Place kPlaces[] = {Place::dtype, Place::shape_start, Place::offsets_start};
    for (std::size_t i = 0; i < 3; ++i) {
      if (text != kKeys[i]) continue;
      if (std::exchange(seen_[i], true)) {
        return fail(Code::malformed, kKeys[i].data(), "has a field twice");
      }
      place_ = kPlaces[i];
      offsets_ = 0;
      return true;
    }
    return fail(Code::malformed, "header", "must have dtype, shape and data_offsets alone");
  }

  bool offset(std::uint64_t value) {
    TensorEntry& entry = entries_.back();
    if (offsets_ == 2) {
      return fail(Code::malformed, "data_offsets", "data_offsets must be two numbers");
    }
    (offsets_ == 0 ? entry.begin : entry.end) = value;
    ++offsets_;
    return true;
  }

  bool unexpected() {
    switch (place_) {
      case Place::dtype:
        return fail(Code::malformed, "dtype", "dtype must be a word");
      case Place::shape_start:
      case Place::shape:
        return fail(Code::malformed, "shape", "shape must be whole numbers from 0 on");
      case Place::offsets_start:
      case Place::offsets:
        return fail(Code::malformed, "data_offsets",
                    "data_offsets must be whole numbers from 0 on");
      default:
        return fail(Code::malformed, "header", "header must be an object of tensors");
    }
  }

  /// Names the tensor that is being read, if one is.
  bool fail(Code code, const char* field, const char* what) {
    const bool in_tensor = place_ >= Place::tensor_start && place_ < Place::end;
    if (in_tensor) {
      const ShownName name(entries_.back().tensor.name);
      status_ = Status::failure(code, field, "safetensors: '%s': %s", name.c_str(), what);
    } else {
      status_ = Status::failure(code, field, "safetensors: %s", what);
    }
    return false;
  }

  std::vector<TensorEntry>& entries_;
  Status status_;
  Place place_ = Place::start;
  bool has_metadata_ = false;
  /// Which of dtype, shape and data_offsets the tensor has.
  bool seen_[3] = {};
  std::size_t offsets_ = 0;
};

}  // namespace

Status read_safetensors_header(std::string_view json, std::vector<TensorEntry>& entries) {
  // The parser takes a zero for the end of the text, and what comes after it for nothing.
  if (const std::size_t zero = json.find('\0'); zero != std::string_view::npos) {
    return Status::failure(Code::malformed, "header", "safetensors: header is no JSON at byte %zu",
                           zero + 1);
  }
  HeaderHandler handler(entries);
  (void)Json::sax_parse(json.begin(), json.end(), &handler);
  if (!handler.status().ok()) return handler.status();
  if (handler.is_complete()) return {};
  return Status::failure(Code::malformed, "header", "safetensors: header is no whole JSON object");
}

}  // namespace posenc::detail
