#pragma once

#include <string>

namespace posenc::cli {

/// The few things that a process of the operating system and a WebAssembly module in Node do
/// differently.

/// Makes a closed pipe and a full quota an error of `write` instead of a signal.
void ignore_write_signals();

/// Has `path` removed when the command is interrupted (SIGINT, SIGTERM, SIGHUP); an empty path ends
/// that.
void remove_when_interrupted(const std::string& path);

/// Says that a descriptor is no regular file: Node's writes would name a position otherwise, which
/// a pipe refuses.
void write_without_position(int descriptor);

/// Whether a file descriptor is a terminal.
bool is_terminal(int descriptor);

}  // namespace posenc::cli
