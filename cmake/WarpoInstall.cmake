# `cmake --install`: tools (where they are defined), headers, the recorder, and the package that plugins build against.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/warpo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
