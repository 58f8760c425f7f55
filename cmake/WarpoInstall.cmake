# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: tools and the recorder (where they are defined), headers, and the package `Warpo` that plugins and
# embedders build against.
include(CMakePackageConfigHelpers)

set(warpo_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Warpo)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/warpo ${CMAKE_BINARY_DIR}/include/warpo
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

configure_package_config_file(
  ${CMAKE_SOURCE_DIR}/cmake/WarpoConfig.cmake.in ${CMAKE_BINARY_DIR}/cmake/WarpoConfig.cmake
  INSTALL_DESTINATION ${warpo_package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/cmake/WarpoConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/cmake/WarpoConfig.cmake ${CMAKE_BINARY_DIR}/cmake/WarpoConfigVersion.cmake
  DESTINATION ${warpo_package_dir} COMPONENT development)
