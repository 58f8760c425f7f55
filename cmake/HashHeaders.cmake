# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a header that defines WARPO_PUBLIC_HEADERS as a hash of all headers below FOLDER, unless it holds that
# already: what includes it is compiled again only where a header has changed.
file(GLOB_RECURSE headers RELATIVE ${FOLDER} ${FOLDER}/*.h ${FOLDER}/*.def)
list(SORT headers)
set(hashes)
foreach(header IN LISTS headers)
  file(SHA256 ${FOLDER}/${header} hash)
  string(APPEND hashes "${hash} ${header}\n")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
set(text "/* What plugins and tools are compared by; made when warpo is built. */
#define WARPO_PUBLIC_HEADERS \"${hash}\"
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
