#include "limits.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "posenc/kernels/kernels.hpp"
#include "workload.hpp"

namespace posenc::bench {
namespace {

/// The loops for the vectors of the kernels in use.
Limits limits() {
#if defined(POSENC_BENCH_X86)
  const std::string_view kernel = kernels::active().name;
  if (kernel == "avx512") return limits_avx512();
  if (kernel == "avx2") return limits_avx2();
#endif
  return limits_baseline();
}

/// x and out, `bytes` of a limit counted once read and once written.
struct Memory {
  Limits limits;
  Buffer<float> x, out;
};

std::shared_ptr<Memory> memory_of(const Shape& shape, std::size_t streams, bool copies) {
  const std::size_t count = (shape.size("bytes") / (streams * sizeof(float)) + 63) / 64 * 64;
  return std::make_shared<Memory>(
      Memory{.limits = limits(), .x = data(count), .out = Buffer<float>(copies ? count : 0)});
}

/// Without a run where this processor has no such instruction.
template <class Run>
Workload workload_of(bool exists, Run run) {
  Workload workload;
  if (exists) workload.run = std::move(run);
  return workload;
}

Workload fill_limit(const Shape& shape) {
  auto memory = memory_of(shape, 1, false);
  const auto loop =
      shape.word("stores") == "stream" ? memory->limits.stream_fill : memory->limits.fill;
  return workload_of(loop, [memory, loop] { loop(memory->x.data(), memory->x.size()); });
}

Workload copy_limit(const Shape& shape) {
  auto memory = memory_of(shape, 2, true);
  const auto loop =
      shape.word("stores") == "stream" ? memory->limits.stream_copy : memory->limits.copy;
  return workload_of(
      loop, [memory, loop] { loop(memory->x.data(), memory->out.data(), memory->x.size()); });
}

Workload modify_limit(const Shape& shape) {
  auto memory = memory_of(shape, 2, false);
  const auto loop =
      shape.word("stores") == "stream" ? memory->limits.stream_modify : memory->limits.modify;
  return workload_of(loop, [memory, loop] { loop(memory->x.data(), memory->x.size()); });
}

/// `flops` operations, rounded up to whole rounds of the chains.
Workload peak_of(float (*loop)(std::size_t), const Shape& shape) {
  const std::size_t count = shape.size("flops") / (2 * limits().multiply_adds) + 1;
  return workload_of(loop, [loop, count] {
    volatile float kept = loop(count);
    static_cast<void>(kept);
  });
}

Workload multiply_add_limit(const Shape& shape) { return peak_of(limits().multiply_add, shape); }
Workload fused_limit(const Shape& shape) { return peak_of(limits().fused_multiply_add, shape); }

}  // namespace

void add_limits(std::map<std::string, Maker>& makers) {
  makers["limit_fill"] = fill_limit;
  makers["limit_copy"] = copy_limit;
  makers["limit_modify"] = modify_limit;
  makers["limit_multiply_add"] = multiply_add_limit;
  makers["limit_fused_multiply_add"] = fused_limit;
}

}  // namespace posenc::bench
