#pragma once

namespace posenc::kernels {

struct Kernels;

// One function per architecture, each defined in the file of its name, which alone is compiled with
// that architecture's flags. The build has those that its target can have (CMakeLists.txt).
const Kernels& scalar() noexcept;
const Kernels& sse4_2() noexcept;
const Kernels& avx2() noexcept;
const Kernels& avx512() noexcept;
const Kernels& neon() noexcept;
const Kernels& wasm() noexcept;
const Kernels& wasm_relaxed() noexcept;

}  // namespace posenc::kernels
