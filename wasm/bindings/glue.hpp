#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"

/// What all bindings share. JavaScript is trusted for nothing but types: wasm/ts has checked that
/// numbers are whole where they must be and that addresses come from its own allocations.
namespace posenc::wasm {

/// An address in wasm memory, a plain number in JavaScript; 0 is no address.
using Address = std::uintptr_t;

/// The outcome of the last call that could fail. JavaScript reads it when it sees a failure.
inline Status& last_status() noexcept {
  static Status status;
  return status;
}

/// Runs a call, keeps its status and returns its code, 0 for success. The wall that no exception
/// passes: one that reached JavaScript would leave the shadow stack where it was thrown.
template <class Call>
int guarded(Call&& call) noexcept {
  Status& status = last_status();
  try {
    status = call();
  } catch (const Error& error) {
    status = error.status();
  } catch (const std::bad_alloc&) {
    status = Status::failure(Code::out_of_memory, "", "out of memory");
  } catch (const std::length_error&) {
    status = Status::failure(Code::size_limit, "", "more elements than memory can hold");
  }
  return static_cast<int>(status.code());
}

/// A new encoding's address, or 0 with the reason in `last_status`. `config` returns its config.
template <class Encoding, class Config>
Address made(Config&& config) noexcept {
  Encoding* encoding = nullptr;
  guarded([&] {
    Result<Encoding> made = make(config());
    const Status made_status = made.status();
    if (made.ok()) encoding = new Encoding(std::move(made).value());
    return made_status;
  });
  return reinterpret_cast<Address>(encoding);
}

template <class Encoding>
void disposed(Address encoding) noexcept {
  delete reinterpret_cast<Encoding*>(encoding);
}

template <class Encoding>
Encoding& at(Address encoding) noexcept {
  return *reinterpret_cast<Encoding*>(encoding);
}

/// How many elements a buffer has, and their StorageType in the top two bits.
using Size = std::uint32_t;

/// A buffer of any storage type.
inline Floats floats(Address address, Size size) noexcept {
  constexpr unsigned kLengthBits = 30;
  const auto type = static_cast<StorageType>(size >> kLengthBits);
  const Size length = size & ((Size{1} << kLengthBits) - 1);
  return {reinterpret_cast<void*>(address), length, type};
}

/// A buffer that is float32 whatever the type of data: wasm/ts lets no other through.
inline std::span<float> float32(Address address, Size length) noexcept {
  return {reinterpret_cast<float*>(address), length};
}

/// A buffer of anything else.
template <class T>
std::span<T> span_of(Address address, std::size_t count) noexcept {
  return {reinterpret_cast<T*>(address), count};
}

/// Numbers that a config keeps, as address and count.
struct Values {
  Address address;
  std::size_t count;
};

inline std::vector<double> doubles(const Values& values) {
  const auto* first = reinterpret_cast<const double*>(values.address);
  return {first, first + values.count};
}

/// An optional number of a config: NaN when it is not given.
inline std::optional<double> given(double value) noexcept {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// Positions as three scalars: kind 0 is a range and `first` its first position, else `first` is
/// the address of `count` values. A double holds every position and every address.
inline Positions positions(unsigned kind, double first, std::size_t count) noexcept {
  if (kind == 0) return Positions::from(static_cast<std::int64_t>(first), count);
  const auto address = static_cast<Address>(first);
  if (kind == 1) return Positions::of({reinterpret_cast<const std::int32_t*>(address), count});
  if (kind == 2) return Positions::of({reinterpret_cast<const std::int64_t*>(address), count});
  return Positions::of({reinterpret_cast<const double*>(address), count});
}

}  // namespace posenc::wasm
