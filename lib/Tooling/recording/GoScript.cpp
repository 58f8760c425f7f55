//===- GoScript.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GoScript.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;
using namespace warpo;

/// Like Go itself: GOROOT, or the folder of its program, which distributions link to.
static std::string goRoot() {
  if (const char *given = std::getenv("GOROOT"); given && *given)
    return given;
  auto go = sys::findProgramByName("go");
  SmallString<128> program;
  if (!go || sys::fs::real_path(*go, program))
    return "";
  return sys::path::parent_path(sys::path::parent_path(program)).str();
}

std::optional<std::string> warpo::findGoScript() {
  std::string root = goRoot();
  if (root.empty())
    return std::nullopt;
  // Go 1.24 moved it.
  for (const char *folder : {"lib", "misc"}) {
    std::string script = root + "/" + folder + "/wasm/wasm_exec.js";
    if (sys::fs::exists(script))
      return script;
  }
  return std::nullopt;
}
