# SPDX-License-Identifier: Apache-2.0
# Writes wasm modules as hexadecimal text, and addresses, into a JavaScript module:
#
#   cmake -DOUTPUT=... -DMODULES=... "-DEVENTS_MEMORY=name: number, ..." -P embed-modules.cmake

set(text "// Made at build time from the .wat files and the C encoder.\nexport const modules = {\n")
foreach(module IN LISTS MODULES)
  get_filename_component(name ${module} NAME_WE)
  file(READ ${module} bytes HEX)
  string(APPEND text "  \"${name}\": \"${bytes}\",\n")
endforeach()
file(WRITE ${OUTPUT} "${text}};\n/** Of warpo/Wasm/TracePoints.h. */\nexport const eventsMemory = { ${EVENTS_MEMORY}};\n")
