# Adds to the library the kernel files of the architectures that the target can have, each compiled
# with its own flags and the others without them.

# Processors fetch decoded instructions by lines: a short loop that begins with one takes fewer.
# WebAssembly has no such alignment.
set(POSENC_KERNEL_FLAGS)
if(NOT EMSCRIPTEN)
  set(POSENC_KERNEL_FLAGS -falign-loops=64)
endif()

# The scalar kernels are the baseline that benchmarks compare with: kept scalar.
set(POSENC_SCALAR_FLAGS ${POSENC_KERNEL_FLAGS} -fno-tree-vectorize -fno-tree-slp-vectorize)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(POSENC_SCALAR_FLAGS ${POSENC_KERNEL_FLAGS} -fno-vectorize -fno-slp-vectorize)
endif()
target_sources(posenc PRIVATE kernels/scalar.cpp)
set(POSENC_KERNEL_NAMES scalar)
set_source_files_properties(kernels/scalar.cpp PROPERTIES COMPILE_OPTIONS "${POSENC_SCALAR_FLAGS}")

if(NOT POSENC_SIMD)
  return()
endif()

# xsimd is a build-time need alone. Its folder is given on its own, never all of /usr/include, which
# would mix the host's C headers into a cross build.
find_path(POSENC_XSIMD_INCLUDE xsimd/xsimd.hpp
          HINTS ${PROJECT_SOURCE_DIR}/build/toolchain/xsimd/include
          NO_CMAKE_FIND_ROOT_PATH)
set(POSENC_XSIMD_VERSION 0)
if(POSENC_XSIMD_INCLUDE)
  file(STRINGS ${POSENC_XSIMD_INCLUDE}/xsimd/config/xsimd_config.hpp POSENC_XSIMD_LINE
       REGEX "define XSIMD_VERSION_MAJOR")
  string(REGEX MATCH "[0-9]+$" POSENC_XSIMD_VERSION "${POSENC_XSIMD_LINE}")
endif()
if(POSENC_XSIMD_VERSION LESS 13)
  message(WARNING "posenc: no xsimd 13 or newer (found: ${POSENC_XSIMD_INCLUDE}, version "
                  "${POSENC_XSIMD_VERSION}); only the scalar kernels are built. "
                  "`npm run setup` brings it, or set POSENC_XSIMD_INCLUDE.")
  return()
endif()

function(posenc_add_kernels name file)
  target_sources(posenc PRIVATE kernels/${file}.cpp)
  set_source_files_properties(
    kernels/${file}.cpp
    PROPERTIES COMPILE_OPTIONS "-isystem${POSENC_XSIMD_INCLUDE};${POSENC_KERNEL_FLAGS};${ARGN}"
               COMPILE_DEFINITIONS POSENC_KERNEL_XSIMD)
  set(POSENC_KERNEL_NAMES ${POSENC_KERNEL_NAMES} ${name} PARENT_SCOPE)
endfunction()

if(EMSCRIPTEN)
  posenc_add_kernels(wasm wasm -msimd128)
  set_property(SOURCE kernels/dispatch.cpp APPEND PROPERTY COMPILE_DEFINITIONS POSENC_KERNELS_WASM)
  # No part of the library: for the module that is linked with it (wasm/CMakeLists.txt).
  add_library(posenc_relaxed_kernels OBJECT EXCLUDE_FROM_ALL kernels/wasm_relaxed.cpp)
  target_include_directories(posenc_relaxed_kernels PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(posenc_relaxed_kernels PRIVATE posenc_options)
  target_compile_definitions(posenc_relaxed_kernels PRIVATE POSENC_KERNEL_XSIMD)
  target_compile_options(posenc_relaxed_kernels
                         PRIVATE "-isystem${POSENC_XSIMD_INCLUDE}" -msimd128 -mrelaxed-simd)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  posenc_add_kernels(sse4.2 sse4_2 -msse4.2)
  posenc_add_kernels(avx2 avx2 -mavx2 -mfma)
  set(POSENC_AVX512_FLAGS -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 warns about its own intrinsics header (GCC bug 105593).
    list(APPEND POSENC_AVX512_FLAGS -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
  posenc_add_kernels(avx512 avx512 ${POSENC_AVX512_FLAGS})
  set_property(SOURCE kernels/dispatch.cpp APPEND PROPERTY COMPILE_DEFINITIONS POSENC_KERNELS_X86)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
  posenc_add_kernels(neon neon)
  set_property(SOURCE kernels/dispatch.cpp APPEND PROPERTY COMPILE_DEFINITIONS POSENC_KERNELS_NEON)
endif()
