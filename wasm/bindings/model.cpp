// The module "posenc/model": config.json to encodings, as JSON text.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "posenc/model/explain.hpp"

namespace posenc::wasm {
namespace {

using Address = std::uintptr_t;

/// The text that the last call made; JavaScript copies it before the next call.
std::string& last_text() noexcept {
  static std::string text;
  return text;
}

std::string_view view(Address address, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(address), size};
}

/// What `posenc explain --json` prints for the text; the address of `text_size()` bytes, or 0 when
/// memory ran out.
Address explain(Address text, std::size_t size) noexcept {
  try {
    last_text().clear();
    explain_value(Model::read(view(text, size))).append_json(last_text());
    return reinterpret_cast<Address>(last_text().data());
  } catch (...) {
    last_text() = std::string();
    return 0;
  }
}

/// The page for a person.
Address explain_for_people(Address text, std::size_t size, Address title,
                           std::size_t title_size) noexcept {
  try {
    last_text() = explain_page(Model::read(view(text, size)), view(title, title_size));
    return reinterpret_cast<Address>(last_text().data());
  } catch (...) {
    last_text() = std::string();
    return 0;
  }
}

std::size_t text_size() noexcept { return last_text().size(); }

}  // namespace

EMSCRIPTEN_BINDINGS(posenc_model) {
  emscripten::function("explain", &explain);
  emscripten::function("explain_page", &explain_for_people);
  emscripten::function("text_size", &text_size);
}

}  // namespace posenc::wasm
