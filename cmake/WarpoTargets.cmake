# SPDX-License-Identifier: Apache-2.0
# The kinds of targets of the project, one function each.

# The item to link for each library in `ARGN`: our registering ones whole. Nothing refers to the objects of such a library
# by name, so a plain static link would drop them without a word.
function(warpo_link_items result)
  set(items)
  foreach(library IN LISTS ARGN)
    set(registers FALSE)
    if(TARGET ${library})
      get_target_property(registers ${library} WARPO_REGISTERS)
    endif()
    if(registers)
      list(APPEND items $<LINK_LIBRARY:WHOLE_ARCHIVE,${library}>)
    else()
      list(APPEND items ${library})
    endif()
  endforeach()
  set(${result} ${items} PARENT_SCOPE)
endfunction()

# The hash of the public headers, which plugins carry.
set(WARPO_HEADERS_HASH ${CMAKE_BINARY_DIR}/include/warpo/Support/PublicHeaders.h)
file(GLOB_RECURSE warpo_public_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/*.h
  ${CMAKE_SOURCE_DIR}/include/*.def)
# In the command, since a header that comes or goes makes no other one newer.
string(SHA256 warpo_public_names "${warpo_public_headers}")
add_custom_command(OUTPUT ${WARPO_HEADERS_HASH}.stamp
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_SOURCE_DIR}/include -DOUTPUT=${WARPO_HEADERS_HASH}
          -DNAMES=${warpo_public_names} -P ${CMAKE_SOURCE_DIR}/cmake/HashHeaders.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${WARPO_HEADERS_HASH}.stamp
  DEPENDS ${warpo_public_headers} ${CMAKE_SOURCE_DIR}/cmake/HashHeaders.cmake
  BYPRODUCTS ${WARPO_HEADERS_HASH}
  COMMENT "Hashing the public headers")
add_custom_target(warpo_headers_hash DEPENDS ${WARPO_HEADERS_HASH}.stamp)

# What most files include, which clang compiles once for all libraries and once for all unit tests: reading headers is half of a
# file's time. Headers of ours are not among them, so that a change of one does not build everything. g++ does without, and
# so notices a file that lacks an include.
set(WARPO_COMMON_HEADERS
  <algorithm> <functional> <map> <memory> <optional> <string> <unordered_map> <vector>
  <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallString.h> <llvm/ADT/SmallVector.h>
  <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h> <llvm/Support/Endian.h> <llvm/Support/Error.h>
  <llvm/Support/FileSystem.h> <llvm/Support/FormatVariadic.h> <llvm/Support/MathExtras.h> <llvm/Support/MemoryBuffer.h>
  <llvm/Support/Path.h> <llvm/Support/raw_ostream.h>)

# Gives a target the common headers of the first target of its KIND, with further headers in ARGN.
function(warpo_common_headers target kind)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  get_property(owner GLOBAL PROPERTY WARPO_COMMON_HEADERS_OF_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    set_property(GLOBAL PROPERTY WARPO_COMMON_HEADERS_OF_${kind} ${target})
    target_precompile_headers(${target} PRIVATE ${ARGN} ${WARPO_COMMON_HEADERS})
    # The same bytes each time, so that ccache knows them again.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# warpo_library(<Name> <sources>... [DEPENDS <libraries>...] [REGISTERS] [FOR_PLUGINS])
# A static library `Warpo<Name>` of lib/<Name>. REGISTERS says that its objects add themselves to a registry, FOR_PLUGINS
# that plugins derive from its classes and call its functions.
function(warpo_library name)
  cmake_parse_arguments(arg "REGISTERS;FOR_PLUGINS" "" "DEPENDS" ${ARGN})
  add_library(Warpo${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(Warpo${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/lib/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  warpo_link_items(items ${arg_DEPENDS})
  target_link_libraries(Warpo${name} PUBLIC ${items} warpo_llvm)
  add_dependencies(Warpo${name} warpo_llvm_archive warpo_headers_hash)
  warpo_common_headers(Warpo${name} library)
  set_property(TARGET Warpo${name} PROPERTY WARPO_REGISTERS ${arg_REGISTERS})
  if(arg_FOR_PLUGINS)
    set_property(GLOBAL APPEND PROPERTY WARPO_LIBRARIES_FOR_PLUGINS Warpo${name})
  endif()
endfunction()

# Links libraries of ours, named without `Warpo`, to a program; what they depend on comes with them.
function(warpo_link target)
  list(TRANSFORM ARGN PREPEND Warpo)
  warpo_link_items(items ${ARGN})
  target_link_libraries(${target} PRIVATE ${items})
endfunction()

# warpo_tool(<name> <sources>... LINK <Libraries>...)
# A program of tools/<name>. It holds all that plugins may use and exports it, whether it needs that itself or not: a plugin
# of any kind loads into every tool.
function(warpo_tool name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  warpo_link(${name} ${arg_LINK})
  get_property(for_plugins GLOBAL PROPERTY WARPO_LIBRARIES_FOR_PLUGINS)
  foreach(library IN LISTS for_plugins)
    set_property(TARGET ${name} PROPERTY LINK_LIBRARY_OVERRIDE_${library} WHOLE_ARCHIVE)
  endforeach()
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
  set_property(GLOBAL APPEND PROPERTY WARPO_TOOLS ${name})
endfunction()

# Where helpers lie, both below the build and below the place of installation.
set(WARPO_HELPERS libexec/warpo)

# warpo_helper(<name> <sources>...)
# A program that nobody starts by hand: for our libraries, where it uses a foreign library that may end it, and for
# JavaScript. In C++17: wabt's headers are no C++20.
function(warpo_helper name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${WARPO_HELPERS})
  install(TARGETS ${name} RUNTIME DESTINATION ${WARPO_HELPERS} COMPONENT tools)
  set_property(GLOBAL APPEND PROPERTY WARPO_HELPER_PROGRAMS ${name})
endfunction()

# warpo_install_library(<name> <description> TARGETS <targets>... [CFLAGS <flags>] [PRIVATE_LIBS <flags>])
# A library for embedders, shared and perhaps static, with what pkg-config says of it.
function(warpo_install_library name description)
  cmake_parse_arguments(arg "" "CFLAGS;PRIVATE_LIBS" "TARGETS" ${ARGN})
  install(TARGETS ${arg_TARGETS}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries NAMELINK_COMPONENT development)
  # Relative, so that an installed tree may be moved.
  file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  set(pc ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/library.pc.in ${pc} @ONLY)
  install(FILES ${pc} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endfunction()

# warpo_unittest(<Library> <sources>... LINK <Libraries>...)
# The unit tests of one library, as the program unittests/<Library>/<Library>Tests; lit finds it there.
function(warpo_unittest library)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(${library}Tests ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${library}Tests PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests/${library} ENABLE_EXPORTS ON)
  warpo_link(${library}Tests ${arg_LINK})
  target_link_libraries(${library}Tests PRIVATE GTest::gtest_main)
  warpo_common_headers(${library}Tests unittest <gtest/gtest.h>)
  set_property(GLOBAL APPEND PROPERTY WARPO_UNITTESTS ${library}Tests)
endfunction()
