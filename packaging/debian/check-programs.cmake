# SPDX-License-Identifier: Apache-2.0
# CPack reads this before it packs.

foreach(program dpkg-shlibdeps file)
  find_program(WARPO_PROGRAM ${program} NO_CACHE NO_CMAKE_SYSTEM_PATH)
  if(NOT WARPO_PROGRAM)
    message(FATAL_ERROR "There is no program '${program}' on the PATH, which finds the packages' dependencies: "
      "install Debian's packages dpkg-dev and file")
  endif()
  unset(WARPO_PROGRAM)
endforeach()
