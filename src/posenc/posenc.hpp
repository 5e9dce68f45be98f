#pragma once

/// posenc: every position encoding that transformers use. This header includes all of it.
///
///     config -> check -> encoding -> verb -> the caller's memory
///
/// Numbers: under the default floating-point environment (round to nearest, no flush to zero) every
/// verb gives the same bits on every processor and in WebAssembly; error bounds stand at the
/// declarations. Verbs are const, thread-safe, noexcept, allocate nothing and check everything
/// before they write.

#include "posenc/additive/detr_sine.hpp"
#include "posenc/additive/hierarchical.hpp"
#include "posenc/additive/layout_boxes.hpp"
#include "posenc/additive/learned.hpp"
#include "posenc/additive/multiscale.hpp"
#include "posenc/additive/sincos_grid.hpp"
#include "posenc/additive/sinusoidal.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/attention_backward.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/dynamic_position_bias.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/mlp.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_cpb.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/core/grid.hpp"
#include "posenc/core/grid_positions.hpp"
#include "posenc/core/mrope_positions.hpp"
#include "posenc/core/position_ids.hpp"
#include "posenc/core/positions.hpp"
#include "posenc/core/ragged_positions.hpp"
#include "posenc/core/result.hpp"
#include "posenc/core/score_terms.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "posenc/core/version.hpp"
#include "posenc/interpolate/interpolate.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/decomposed.hpp"
#include "posenc/relative/forgetting_bias.hpp"
#include "posenc/relative/gated_position_bias.hpp"
#include "posenc/relative/pope.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "posenc/rotary/permute_pairs.hpp"
#include "posenc/rotary/rope.hpp"
