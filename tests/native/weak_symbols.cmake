# cmake -DNM=... -DOBJECTS=a|b|c -P weak_symbols.cmake
#
# A weak symbol of a kernel file may become the program's only copy, compiled for a processor that
# the program does not run on. So a kernel file may define none but xsimd's, each in one file alone:
# templates over its own architecture.

string(REPLACE "|" ";" objects "${OBJECTS}")
set(seen 0)
foreach(object ${objects})
  if(NOT object MATCHES "kernels/([a-z0-9_]+)\\.cpp" OR CMAKE_MATCH_1 STREQUAL "dispatch")
    continue()
  endif()
  set(name ${CMAKE_MATCH_1})
  execute_process(COMMAND ${NM} --demangle --defined-only ${object} OUTPUT_VARIABLE symbols
                  COMMAND_ERROR_IS_FATAL ANY)
  # brackets and semicolons of names would upset CMake's lists
  string(REGEX REPLACE "[][;]" "?" symbols "${symbols}")
  string(REPLACE "\n" ";" lines "${symbols}")
  math(EXPR seen "${seen} + 1")
  foreach(line ${lines})
    if(NOT line MATCHES "^[0-9a-f]* *[WwVvu] (.*)$")
      continue()
    endif()
    set(symbol "${CMAKE_MATCH_1}")
    # a pointer that GCC places beside code that may unwind: data, the same everywhere
    if(symbol STREQUAL "DW.ref.__gxx_personality_v0")
      continue()
    endif()
    if(NOT symbol MATCHES "xsimd::" OR symbol MATCHES "std::")
      message(SEND_ERROR "kernels/${name}.cpp defines the weak symbol ${symbol}")
    elseif(NOT "${owner_of_${symbol}}" MATCHES "^(${name})?$")
      message(SEND_ERROR "kernels/${name}.cpp and kernels/${owner_of_${symbol}}.cpp both define the "
                         "weak symbol ${symbol}")
    endif()
    set(owner_of_${symbol} ${name})
  endforeach()
endforeach()
if(seen EQUAL 0)
  message(FATAL_ERROR "no kernel files among the objects")
endif()
message(STATUS "weak symbols of ${seen} kernel files looked at")
