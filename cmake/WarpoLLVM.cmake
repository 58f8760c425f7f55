# SPDX-License-Identifier: Apache-2.0
# LLVM's static Support and Demangle as one target, `warpo_llvm`.
#
# The tools load plugins, and a plugin must find every symbol of LLVM's Support in the tool: so the archive is linked
# whole. Its Z3 solver is left out, since libz3 alone would triple the time that a tool takes to start.

set(WARPO_LLVM_MAJOR 19)
# A version in find_package would be compared exactly with 19.1.x and fail; ask for any and check.
find_package(LLVM REQUIRED CONFIG HINTS /usr/lib/llvm-${WARPO_LLVM_MAJOR})
if(NOT LLVM_VERSION_MAJOR EQUAL WARPO_LLVM_MAJOR)
  message(FATAL_ERROR "LLVM ${WARPO_LLVM_MAJOR} is needed, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
find_package(ZLIB REQUIRED)

set(llvm_archive ${LLVM_LIBRARY_DIRS}/libLLVMSupport.a)
set(llvm_whole ${CMAKE_BINARY_DIR}/llvm/libLLVMSupportWhole.a)
add_custom_command(
  OUTPUT ${llvm_whole}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/llvm
  COMMAND ${CMAKE_COMMAND} -E copy ${llvm_archive} ${llvm_whole}
  COMMAND ${CMAKE_AR} d ${llvm_whole} Z3Solver.cpp.o
  DEPENDS ${llvm_archive}
  COMMENT "Preparing LLVM's Support"
  VERBATIM)
add_custom_target(warpo_llvm_archive DEPENDS ${llvm_whole})

# How everything that uses LLVM is compiled.
add_library(warpo_llvm_headers INTERFACE)
target_include_directories(warpo_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(warpo_llvm_headers INTERFACE ${llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(warpo_llvm_headers INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
find_library(WARPO_ZSTD zstd REQUIRED)
find_library(WARPO_TINFO tinfo REQUIRED)
set(llvm_needs ${LLVM_LIBRARY_DIRS}/libLLVMDemangle.a ZLIB::ZLIB ${WARPO_ZSTD} ${WARPO_TINFO} pthread dl m)

add_library(warpo_llvm INTERFACE)
add_dependencies(warpo_llvm warpo_llvm_archive)
target_link_libraries(warpo_llvm INTERFACE
  warpo_llvm_headers -Wl,--whole-archive ${llvm_whole} -Wl,--no-whole-archive ${llvm_needs})

# LLVM's reader of DWARF, for a program without plugins: of all these archives it gets what it uses.
set(llvm_dwarf)
foreach(library DebugInfoDWARF Object IRReader BitReader AsmParser Core Remarks BitstreamReader MCParser MC
                DebugInfoCodeView DebugInfoMSF TextAPI TargetParser BinaryFormat)
  list(APPEND llvm_dwarf ${LLVM_LIBRARY_DIRS}/libLLVM${library}.a)
endforeach()
add_library(warpo_llvm_dwarf INTERFACE)
target_link_libraries(warpo_llvm_dwarf INTERFACE
  warpo_llvm_headers -Wl,--gc-sections -Wl,--start-group ${llvm_dwarf} ${llvm_whole} -Wl,--end-group ${llvm_needs})
add_dependencies(warpo_llvm_dwarf warpo_llvm_archive)
