#pragma once

#include <CLI/CLI.hpp>

namespace posenc::cli {

/// Each adds the command of one encoding, to `posenc table`, `posenc bias` or `posenc scores`.

void add_sinusoidal(CLI::App& table);
void add_learned(CLI::App& table);
void add_hierarchical(CLI::App& table);
void add_interpolate(CLI::App& table);
void add_layout_boxes(CLI::App& table);
void add_rope(CLI::App& table);
void add_sincos_grid(CLI::App& table);
void add_detr_sine(CLI::App& table);
void add_multiscale(CLI::App& table);

void add_alibi(CLI::App& bias);
void add_kerple(CLI::App& bias);
void add_t5(CLI::App& bias);
void add_swin(CLI::App& bias);
void add_swin_cpb(CLI::App& bias);
void add_fire(CLI::App& bias);
void add_dynamic_position_bias(CLI::App& bias);

void add_shaw(CLI::App& scores);
void add_deberta(CLI::App& scores);
void add_transformer_xl(CLI::App& scores);
void add_decomposed(CLI::App& scores);
void add_cope(CLI::App& scores);
void add_pope(CLI::App& scores);
void add_forgetting_bias(CLI::App& scores);
void add_gated_position_bias(CLI::App& scores);

}  // namespace posenc::cli
