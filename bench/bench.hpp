#pragma once

// Every benchmark runs once per kernel architecture of this processor on the same data, so that the
// scalar line beside a SIMD line is its baseline: read ratios within one run, not times.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "data.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/posenc.hpp"

namespace posenc::bench {

/// Registers `body(state)` as NAME/KERNEL for each available architecture. `bytes` are counted once
/// read and once written.
template <class Body>
int for_each_kernel(const std::string& name, std::size_t bytes, Body body) {
  for (const kernels::Kernels* kernels : kernels::available()) {
    benchmark::RegisterBenchmark((name + "/" + kernels->name).c_str(), [=](benchmark::State&
                                                                               state) {
      kernels::use(kernels->name);
      body(state);
      state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
    })->Unit(benchmark::kMicrosecond);
  }
  return 0;
}

}  // namespace posenc::bench
