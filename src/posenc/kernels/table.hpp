#pragma once

// What an architecture's translation unit includes: every kernel, gathered in one table.

#include "posenc/kernels/add.hpp"
#include "posenc/kernels/backward.hpp"
#include "posenc/kernels/copy_rows.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/kernels/line.hpp"
#include "posenc/kernels/mix.hpp"
#include "posenc/kernels/rotate.hpp"
#include "posenc/kernels/scores.hpp"
#include "posenc/kernels/sin_cos.hpp"
#include "posenc/kernels/sin_cos_sums.hpp"
#include "posenc/kernels/soft_cap.hpp"
#include "posenc/kernels/softmax.hpp"
#include "posenc/kernels/storage.hpp"
#include "posenc/kernels/stream.hpp"
#include "posenc/kernels/values.hpp"

namespace posenc::kernels {
namespace {

template <class Arch>
constexpr Kernels table(const char* name) {
  return {
      .name = name,
      .streams = kStreams<typename Vectors<Arch>::F>,
      .sin_cos = sin_cos<Arch>,
      .sin_cos_axes = sin_cos_axes<Arch>,
      .sin_cos_radians = sin_cos_radians<Arch>,
      .sin_cos_doubles = sin_cos_doubles<Arch>,
      .sin_cos_sums = sin_cos_sums<Arch>,
      .finish_streams = finish_streams,
      .rotate_half = rotate_half<Arch>,
      .rotate_interleaved = rotate_interleaved<Arch>,
      .widen_float16 = widen_float16<Arch>,
      .widen_bfloat16 = widen_bfloat16<Arch>,
      .narrow_float16 = narrow_float16<Arch>,
      .narrow_bfloat16 = narrow_bfloat16<Arch>,
      .add = add<Arch>,
      .line = line<Arch>,
      .mix_floats = mix_floats<Arch>,
      .mix_doubles = mix_doubles<Arch>,
      .narrow_doubles = narrow_doubles<Arch>,
      .copy_rows = copy_rows<Arch>,
      .scores = scores<Arch>,
      .soft_cap = soft_cap<Arch>,
      .hide = hide<Arch>,
      .softmax_weights = softmax_weights<Arch>,
      .divide = divide_row<Arch>,
      .softmax_backward = softmax_backward<Arch>,
      .product_backward = product_backward<Arch>,
      .weighted_sums = weighted_sums<Arch>,
      .fast_scores = scores<Arch, kFuses>,
      .fast_softmax_weights = softmax_weights<Arch, kFuses>,
      .fast_weighted_sums = weighted_sums<Arch, kFuses>,
  };
}

}  // namespace
}  // namespace posenc::kernels
