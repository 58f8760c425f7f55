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

# warpo_library(<Name> <sources>... [DEPENDS <libraries>...] [REGISTERS])
# A static library `Warpo<Name>` of lib/<Name>. REGISTERS says that its objects add themselves to a registry.
function(warpo_library name)
  cmake_parse_arguments(arg "REGISTERS" "" "DEPENDS" ${ARGN})
  add_library(Warpo${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(Warpo${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  warpo_link_items(items ${arg_DEPENDS})
  target_link_libraries(Warpo${name} PUBLIC ${items} warpo_llvm)
  add_dependencies(Warpo${name} warpo_llvm_archive)
  set_property(TARGET Warpo${name} PROPERTY WARPO_REGISTERS ${arg_REGISTERS})
endfunction()

# Links libraries of ours, named without `Warpo`, to a program; what they depend on comes with them.
function(warpo_link target)
  list(TRANSFORM ARGN PREPEND Warpo)
  warpo_link_items(items ${ARGN})
  target_link_libraries(${target} PRIVATE ${items})
endfunction()

# warpo_tool(<name> <sources>... LINK <Libraries>...)
# A program of tools/<name>. Its symbols are exported, so that plugins find them.
function(warpo_tool name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  warpo_link(${name} ${arg_LINK})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_property(GLOBAL APPEND PROPERTY WARPO_TOOLS ${name})
endfunction()

# Where helpers lie, both below the build and below the place of installation.
set(WARPO_HELPERS libexec/warpo)

# warpo_helper(<name> <sources>...)
# A program that only our libraries start, since it uses a foreign library that may end it. In C++17: wabt's headers are
# no C++20.
function(warpo_helper name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES
    CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${WARPO_HELPERS})
  install(TARGETS ${name} RUNTIME DESTINATION ${WARPO_HELPERS})
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
  set_property(GLOBAL APPEND PROPERTY WARPO_UNITTESTS ${library}Tests)
endfunction()
