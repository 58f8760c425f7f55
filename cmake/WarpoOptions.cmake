# SPDX-License-Identifier: Apache-2.0
# What holds for every file: warnings, and the sanitizer build.

set(WARPO_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them (address,undefined)")
option(WARPO_TESTS "Configure unit tests, tests and benchmarks, for which utils/setup --test installs what they need" ON)
option(WARPO_FUZZ "Build the fuzz targets, with clang" OFF)
option(WARPO_WERROR "Make warnings errors" OFF)

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# g++ 12 takes `"text" + string` for a copy onto itself, with sizes that cannot be (GCC bug 105329).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(WARPO_WERROR)
  add_compile_options(-Werror)
endif()
if(WARPO_SANITIZE)
  add_compile_options(-fsanitize=${WARPO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${WARPO_SANITIZE})
endif()
if(WARPO_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address)
endif()
add_link_options(-Wl,--as-needed)
