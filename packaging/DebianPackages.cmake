# SPDX-License-Identifier: Apache-2.0
# `ninja package`: warpo (the tools, and what they need), libwarpo0 (shared libraries, by their soname) and libwarpo-dev.

# Debian wants an address. No mail comes to one below .invalid, by RFC 6761.
set(WARPO_MAINTAINER "warpo developers <no-address@warpo.invalid>" CACHE STRING "Who packages warpo, for Debian's packages")
set(debian ${CMAKE_CURRENT_BINARY_DIR}/debian)
set(shared_package libwarpo${PROJECT_VERSION_MAJOR})

# The time of the last change, as a Debian changelog has it: the same wherever the same commit is packed.
set(date_format "%a, %d %b %Y %H:%M:%S +0000")
set(change_time "$ENV{SOURCE_DATE_EPOCH}")
if(change_time STREQUAL "")
  execute_process(COMMAND git log -1 --format=%ct -- . WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    OUTPUT_VARIABLE change_time OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(change_time STREQUAL "")
  file(TIMESTAMP ${CMAKE_SOURCE_DIR}/CHANGELOG.md WARPO_CHANGE_DATE "${date_format}" UTC)
else()
  # CMake writes the time that this variable says.
  set(environment_time "$ENV{SOURCE_DATE_EPOCH}")
  set(ENV{SOURCE_DATE_EPOCH} ${change_time})
  string(TIMESTAMP WARPO_CHANGE_DATE "${date_format}" UTC)
  # An empty value is no date, and compilers refuse it.
  if(environment_time STREQUAL "")
    unset(ENV{SOURCE_DATE_EPOCH})
  else()
    set(ENV{SOURCE_DATE_EPOCH} ${environment_time})
  endif()
endif()
configure_file(debian/changelog.in ${debian}/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${debian}/changelog COMMAND_ERROR_IS_FATAL ANY)

# The report `html` holds speedscope, if it was there.
set(WARPO_VIEWER_COMMENT)
set(speedscope ${CMAKE_SOURCE_DIR}/node_modules/speedscope)
foreach(license ${speedscope}/LICENSE ${speedscope}/dist/release/source-code-pro.LICENSE.md)
  if(EXISTS ${license})
    file(READ ${license} text)
    # A field's further lines begin with a space, and none is empty.
    string(REGEX REPLACE "[ \t\r]*\n" "\n" text "\n${text}")
    string(REGEX REPLACE "\n\n" "\n.\n" text "${text}")
    string(REGEX REPLACE "\n\n" "\n.\n" text "${text}")
    string(REGEX REPLACE "[\n.]+$" "" text "${text}")
    string(REPLACE "\n" "\n " text "${text}")
    string(APPEND WARPO_VIEWER_COMMENT "${text}\n .")
  endif()
endforeach()
if(WARPO_VIEWER_COMMENT)
  string(PREPEND WARPO_VIEWER_COMMENT
    "\n .\n Reports in HTML hold speedscope and the font Source Code Pro, under these\n licenses:\n .")
  string(REGEX REPLACE "\n \\.$" "" WARPO_VIEWER_COMMENT "${WARPO_VIEWER_COMMENT}")
endif()
configure_file(debian/copyright.in ${debian}/copyright @ONLY)

# What only a package of Debian has: components that `cmake --install` leaves out.
function(warpo_debian_files component package)
  install(FILES ${debian}/copyright ${debian}/changelog.gz DESTINATION share/doc/${package}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
warpo_debian_files(debian-tools warpo)
warpo_debian_files(debian-libraries ${shared_package})
warpo_debian_files(debian-development libwarpo-dev)
# Where Debian's zsh looks.
install(FILES ${zsh_file} DESTINATION share/zsh/vendor-completions COMPONENT debian-tools EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpo)
set(CPACK_PACKAGE_CONTACT "${WARPO_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)

# A package is a group of components.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL
  tools documents debian-tools libraries debian-libraries development debian-development)
foreach(component TOOLS DOCUMENTS DEBIAN-TOOLS)
  set(CPACK_COMPONENT_${component}_GROUP warpo)
endforeach()
foreach(component LIBRARIES DEBIAN-LIBRARIES)
  set(CPACK_COMPONENT_${component}_GROUP shared)
endforeach()
foreach(component DEVELOPMENT DEBIAN-DEVELOPMENT)
  set(CPACK_COMPONENT_${component}_GROUP headers)
endforeach()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Where a program is missing CPack leaves the dependencies out.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/debian/check-programs.cmake)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Each package has a synopsis of its own: its description's first line.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")

set(CPACK_DEBIAN_WARPO_PACKAGE_NAME warpo)
set(CPACK_DEBIAN_WARPO_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_WARPO_DESCRIPTION "profiling toolkit for WebAssembly
warpo shows where a WebAssembly program spends its time, and what it does: by
samples of the program as it is, or every call of every function, on a
timeline, as a flame graph and in tables.

This package has the tools, and the modules of JavaScript that record in Node
and in browsers.")
# The engines: V8, and machine code by wasm2c and the C compiler. Binaryen is for -O and --validate; its library has no entry in
# Debian's tables of libraries.
set(CPACK_DEBIAN_WARPO_PACKAGE_RECOMMENDS "nodejs (>= 18), binaryen")
set(CPACK_DEBIAN_WARPO_PACKAGE_SUGGESTS "wabt, gcc | c-compiler, graphviz")

set(CPACK_DEBIAN_SHARED_PACKAGE_NAME ${shared_package})
set(CPACK_DEBIAN_SHARED_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_SHARED_DESCRIPTION "profiling of embedded WebAssembly, shared libraries
The recorder writes the trace points of an engine's modules into a record; the
profiler takes sampled profiles within the program.")
# CPack writes scripts that call ldconfig, where Debian wants this.
set(CPACK_DEBIAN_SHARED_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/debian/triggers)

set(CPACK_DEBIAN_HEADERS_PACKAGE_NAME libwarpo-dev)
set(CPACK_DEBIAN_HEADERS_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_HEADERS_DESCRIPTION "profiling of embedded WebAssembly, development files
Headers, static and shared libraries for programs that embed an engine, and
what plugins for the tools are built against; for CMake and pkg-config.")
set(CPACK_DEBIAN_HEADERS_PACKAGE_DEPENDS "${shared_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_HEADERS_PACKAGE_SHLIBDEPS OFF)
# What plugins and embedders in C++ include, and the tools that load plugins.
set(CPACK_DEBIAN_HEADERS_PACKAGE_RECOMMENDS
  "warpo (= ${PROJECT_VERSION}), llvm-${WARPO_LLVM_MAJOR}-dev")

include(CPack)
