#pragma once

#include <CLI/CLI.hpp>

namespace posenc::cli {

/// Each adds the command of one encoding, to `posenc table` or to `posenc bias`.

void add_sinusoidal(CLI::App& table);
void add_learned(CLI::App& table);
void add_rope(CLI::App& table);
void add_sincos_grid(CLI::App& table);
void add_detr_sine(CLI::App& table);
void add_multiscale(CLI::App& table);

void add_alibi(CLI::App& bias);
void add_kerple(CLI::App& bias);
void add_t5(CLI::App& bias);

}  // namespace posenc::cli
