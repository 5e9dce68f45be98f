#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "glue.hpp"

/// The verbs that bias encodings share.
namespace posenc::wasm {

/// `distances` and `bias` of every encoding that has them.
template <class Encoding>
int distances(Address self, double first, Address out, std::size_t size) {
  return guarded([&] {
    return at<Encoding>(self).distances(static_cast<std::int64_t>(first), floats(out, size));
  });
}

template <class Encoding>
int bias(Address self, unsigned query_kind, double query_first, std::size_t query_count,
         unsigned key_kind, double key_first, std::size_t key_count, Address out,
         std::size_t size) {
  return guarded([&] {
    return at<Encoding>(self).bias(positions(query_kind, query_first, query_count),
                                   positions(key_kind, key_first, key_count), floats(out, size));
  });
}

template <class Encoding>
using Gradient = Status (Encoding::*)(const Positions&, const Positions&, ConstFloats,
                                      std::span<float>) const noexcept;

/// `slope_gradient` and `table_gradient`: what a gradient of the bias means for the parameters.
template <class Encoding, Gradient<Encoding> verb>
int gradient(Address self, unsigned query_kind, double query_first, std::size_t query_count,
             unsigned key_kind, double key_first, std::size_t key_count, Address bias,
             std::size_t bias_size, Address out, std::size_t size) {
  return guarded([&] {
    return (at<Encoding>(self).*verb)(positions(query_kind, query_first, query_count),
                                      positions(key_kind, key_first, key_count),
                                      floats(bias, bias_size), float32(out, size));
  });
}

}  // namespace posenc::wasm
