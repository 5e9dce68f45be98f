// The module "posenc/model": config.json to encodings, as JSON text.
//
// A call reads one text and is done, which keeps the module small: memory comes from an arena that
// begins anew with each call, and what would be an exception elsewhere writes down its finding and
// ends the call by a trap. JavaScript catches that and puts the stack pointer back.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>

#include "posenc/model/explain.hpp"
#include "posenc/model/read_json.hpp"

#define POSENC_EXPORT extern "C" [[gnu::used, gnu::visibility("default")]]

/// Where memory begins that is nobody's, by the linker.
extern "C" std::byte __heap_base;  // NOLINT(readability-identifier-naming): the linker's name

namespace posenc::wasm {
namespace {

using Address = std::uintptr_t;

constexpr Address kAlignment = 16, kPage = 65536;
/// More than any text of the size that the reader takes can need.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// The first byte that is not handed out; 0 before the first is.
Address top = 0;

Address rounded(Address address) noexcept {
  return (address + kAlignment - 1) / kAlignment * kAlignment;
}

bool grow(Address pages) noexcept {
  return __builtin_wasm_memory_grow(0, pages) != static_cast<Address>(-1);
}

void begin_anew() noexcept { top = rounded(reinterpret_cast<Address>(&__heap_base)); }

void* take(std::size_t size) noexcept {
  if (top == 0) begin_anew();
  const Address taken = top, end = taken + rounded(size);
  const Address held = __builtin_wasm_memory_size(0) * kPage;
  if (size > kMostBytes || end < taken) __builtin_trap();
  if (end > held) {
    const Address pages = (end - held + kPage - 1) / kPage;
    // Half of what there is besides, so that a long text does not ask page by page.
    if (!grow(pages + held / (2 * kPage)) && !grow(pages)) __builtin_trap();
  }
  top = end;
  return reinterpret_cast<void*>(taken);
}

/// Takes back what was handed out last; the rest waits for the next call.
void give(void* taken, std::size_t size) noexcept {
  const auto address = reinterpret_cast<Address>(taken);
  if (address + rounded(size) == top) top = address;
}

std::string_view view(Address address, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(address), size};
}

/// What the running call is to make, and the text that it made.
struct Call {
  bool is_page = false;
  std::string_view title{};
  std::string_view text{};
};

Call call;

void finish(const Model::Reading& reading) {
  auto& text = *new std::string;  // the arena's, as everything
  if (call.is_page) {
    text = explain_page(reading, call.title);
  } else {
    explain_value(reading).append_json(text);
  }
  call.text = text;
}

}  // namespace

/// Forgets the last call; the address of `size` bytes for the texts of the next one.
POSENC_EXPORT Address begin(std::size_t size) noexcept {
  call = {};
  begin_anew();
  return reinterpret_cast<Address>(take(size));
}

/// Makes what `posenc explain --json` prints for the text.
POSENC_EXPORT void explain(Address text, std::size_t size) {
  finish(Model::read(view(text, size)));
}

/// Makes the page for a person.
POSENC_EXPORT void page(Address text, std::size_t size, Address title, std::size_t title_size) {
  call = {.is_page = true, .title = view(title, title_size)};
  finish(Model::read(view(text, size)));
}

/// The text that the last call made, until `begin`: its address, and its size, which is 0 when the
/// call ended by a trap that was no finding (memory ran out).
POSENC_EXPORT Address text() noexcept { return reinterpret_cast<Address>(call.text.data()); }
POSENC_EXPORT std::size_t text_size() noexcept { return call.text.size(); }

}  // namespace posenc::wasm

void* operator new(std::size_t size) { return posenc::wasm::take(size); }
void operator delete(void*) noexcept {}
void operator delete(void* taken, std::size_t size) noexcept { posenc::wasm::give(taken, size); }

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept { return posenc::wasm::take(size); }

/// `throw`: a finding is written down.
// NOLINTNEXTLINE(readability-identifier-naming): the compiler's name
[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void* (*)(void*)) {
  if (*type == typeid(posenc::detail::Failure)) {
    posenc::wasm::finish(static_cast<posenc::detail::Failure*>(thrown)->finding);
  }
  __builtin_trap();
}
}
