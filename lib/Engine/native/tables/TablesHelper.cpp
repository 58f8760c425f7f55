//===- TablesHelper.cpp - The program warpo-native-tables -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   warpo-native-tables <shared object> <index of the first function>
//
// Reads the names of the module's functions in C, one a line, in the module's order. The result is
// the encoded CodeTables of the object.
//
//===----------------------------------------------------------------------===//

#include "../../../Toolchain/helpers/HelperMain.h"
#include "../CodeTables.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

// Large, as the input comes from the machine's own compiler.
static constexpr size_t memory = size_t(8) << 30;

int main(int argc, char **argv) {
  uint32_t index = 0;
  if (argc != 3 || !to_integer(argv[2], index))
    helperFailed("usage: warpo-native-tables <shared object> <index of the first function>");
  std::string names = helperInput(memory);
  StringMap<uint32_t> functions;
  for (StringRef name : split(StringRef(names).rtrim('\n'), '\n'))
    functions[name] = index++;
  auto tables = CodeTables::ofObject(argv[1], functions);
  if (!tables)
    helperFailed(toString(tables.takeError()));
  helperDone(tables->encode());
}
