#pragma once

// The bytes of .safetensors and .npy files, right ones and, given other texts, wrong ones.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posenc::tests {

using Bytes = std::vector<std::byte>;

inline void append(Bytes& bytes, std::string_view text) {
  const auto* start = reinterpret_cast<const std::byte*>(text.data());
  bytes.insert(bytes.end(), start, start + text.size());
}

template <class Element>
std::string bytes_of(const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  if (!elements.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

/// The lowest byte first.
inline std::string little_endian(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

/// A header of any text, and data after it.
inline Bytes safetensors_of(std::string_view header, std::string_view data = {}) {
  Bytes file;
  append(file, little_endian(header.size(), 8));
  append(file, header);
  append(file, data);
  return file;
}

/// A .safetensors file, tensor by tensor.
class SafetensorsWriter {
 public:
  /// `shape` is the text between the brackets: "2,3".
  void add(std::string_view name, std::string_view type, std::string_view shape,
           std::string_view bytes) {
    header_ += header_.empty() ? "{" : ",";
    header_.append("\"").append(name).append("\":{\"dtype\":\"").append(type);
    header_.append("\",\"shape\":[").append(shape).append("],\"data_offsets\":[");
    header_.append(std::to_string(data_.size())).append(",");
    data_ += bytes;
    header_.append(std::to_string(data_.size())).append("]}");
  }

  Bytes file() const { return safetensors_of(header_.empty() ? "{}" : header_ + "}", data_); }

 private:
  std::string header_;
  std::string data_;
};

/// Version 1.0 with a header of any text, padded as NumPy does it, and data after it.
inline Bytes npy_of(std::string header, std::string_view data = {}) {
  header.append(63 - (header.size() + 10) % 64, ' ').append("\n");
  Bytes file;
  append(file, "\x93NUMPY");
  append(file, std::string_view("\x01\x00", 2));
  append(file, little_endian(header.size(), 2));
  append(file, header);
  append(file, data);
  return file;
}

/// A .npy file as NumPy writes it; `shape` is Python's text: "2, 3" or "5,".
inline Bytes npy_array(std::string_view type, std::string_view shape, std::string_view data) {
  std::string header = "{'descr': '";
  header.append(type).append("', 'fortran_order': False, 'shape': (");
  return npy_of(header.append(shape).append("), }"), data);
}

}  // namespace posenc::tests
