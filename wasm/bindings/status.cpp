#include <emscripten/bind.h>

#include <string_view>

#include "glue.hpp"
#include "posenc/core/version.hpp"

namespace posenc::wasm {
namespace {

// Texts go to JavaScript as the address of a zero-terminated string (all of these are literals or a
// buffer inside the status): an Embind string would allocate, and a status must stay readable when
// memory has run out.
Address text(std::string_view literal) { return reinterpret_cast<Address>(literal.data()); }

Address status_code() { return text(code_name(last_status().code())); }
Address status_field() { return text(last_status().field()); }
Address status_message() { return text(last_status().message()); }
Address version_text() { return text(version()); }
Address kernel_text() { return text(kernel_name()); }

}  // namespace

EMSCRIPTEN_BINDINGS(status) {
  emscripten::value_object<Values>("Values")
      .field("address", &Values::address)
      .field("count", &Values::count);
  emscripten::function("status_code", &status_code);
  emscripten::function("status_field", &status_field);
  emscripten::function("status_message", &status_message);
  emscripten::function("version", &version_text);
  emscripten::function("kernel", &kernel_text);
}

}  // namespace posenc::wasm
