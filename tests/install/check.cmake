# cmake -DWAY=find_package|add_subdirectory -DBUILD=... -DCOMPILER=... -DFLAGS=... -DGENERATOR=...
#       -P check.cmake
#
# Builds and runs the consumer without xsimd and nlohmann-json in reach. For find_package, installs
# BUILD first and looks at what was installed.

cmake_minimum_required(VERSION 3.24)

set(place ${BUILD}/install-test/${WAY})
set(prefix ${place}/prefix)
file(REMOVE_RECURSE ${place})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Public headers alone, which name neither xsimd, nlohmann-json, Emscripten nor each other's sources.
function(check_headers)
  file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
  if(NOT "posenc/posenc.hpp" IN_LIST headers)
    message(FATAL_ERROR "posenc/posenc.hpp is not installed, only: ${headers}")
  endif()
  foreach(header ${headers})
    if(header MATCHES "posenc/(kernels|math)/|check\\.hpp|toeplitz|rotary_tensor|\\.cpp$")
      message(FATAL_ERROR "${header} is private, but installed")
    endif()
    file(STRINGS ${prefix}/include/${header} foreign
         REGEX "xsimd|nlohmann|[Ee]mscripten|immintrin|arm_neon")
    if(foreign)
      message(FATAL_ERROR "${header} names what a user need not have: ${foreign}")
    endif()
    file(STRINGS ${prefix}/include/${header} includes REGEX "#include \"")
    foreach(line ${includes})
      string(REGEX REPLACE ".*\"(.*)\".*" "\\1" included "${line}")
      if(NOT included IN_LIST headers)
        message(FATAL_ERROR "${header} includes ${included}, which is not installed")
      endif()
    endforeach()
  endforeach()
endfunction()

set(options -DCMAKE_BUILD_TYPE=None)
if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
  check_headers()
  list(APPEND options -DCMAKE_PREFIX_PATH=${prefix})
else()
  list(APPEND options -DPOSENC_XSIMD_INCLUDE= -DPOSENC_NLOHMANN_INCLUDE=)
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${WAY} -B ${place}/build -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} ${options})
if(WAY STREQUAL "add_subdirectory" AND NOT output MATCHES "only the scalar kernels")
  message(FATAL_ERROR "a build without xsimd does not say so:\n${output}")
endif()
if(WAY STREQUAL "add_subdirectory" AND NOT output MATCHES "posenc::model is not built")
  message(FATAL_ERROR "a build without nlohmann-json does not say so:\n${output}")
endif()
run(${CMAKE_COMMAND} --build ${place}/build)
run(${place}/build/consumer)
if(WAY STREQUAL "find_package")
  run(${place}/build/model_consumer)
endif()
message(STATUS "${output}")
