# SPDX-License-Identifier: Apache-2.0
# `ninja warpo-npm` packs the npm package with this machine's tools in it: packages/warpo-<version>.tgz.

find_program(WARPO_NPM NAMES npm)
set(npm_cpu x64)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(npm_cpu arm64)
endif()
# A file of its own, which a test runs too: with another folder.
configure_file(pack-npm.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/pack-npm.cmake @ONLY)
add_custom_target(warpo-npm
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${CMAKE_BINARY_DIR}/packages -P ${CMAKE_CURRENT_BINARY_DIR}/pack-npm.cmake
  DEPENDS warpo-tools VERBATIM)
