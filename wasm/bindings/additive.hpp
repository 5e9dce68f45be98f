#pragma once

#include "glue.hpp"

/// `table` and `add` of the encodings of one position: positions, then the caller's buffer.
namespace posenc::wasm {

template <class Encoding>
int table(Address self, unsigned kind, double first, std::size_t count, Address out, Size size) {
  return guarded(
      [&] { return at<Encoding>(self).table(positions(kind, first, count), floats(out, size)); });
}

template <class Encoding>
int add(Address self, unsigned kind, double first, std::size_t count, Address x, Size size) {
  return guarded(
      [&] { return at<Encoding>(self).add(positions(kind, first, count), floats(x, size)); });
}

}  // namespace posenc::wasm
