// The WebAssembly build's side of host.hpp: what launcher.mjs gives the module as `host`.

#include <emscripten/em_js.h>

#include "cli/host.hpp"

// clang-format off
EM_JS(void, host_remove_when_interrupted, (const char* path), {
  Module["host"].removeWhenInterrupted(UTF8ToString(path));
});
EM_JS(void, host_write_without_position, (int descriptor), {
  FS.getStreamChecked(descriptor).seekable = false;
});
EM_JS(int, host_is_terminal, (int descriptor), { return Module["host"].isTerminal(descriptor); });
// clang-format on

namespace posenc::cli {

void ignore_write_signals() {}  // Node does so by itself.

void remove_when_interrupted(const std::string& path) {
  host_remove_when_interrupted(path.c_str());
}

void write_without_position(int descriptor) { host_write_without_position(descriptor); }

bool is_terminal(int descriptor) { return host_is_terminal(descriptor) != 0; }

}  // namespace posenc::cli
