//===- SampledSource.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c declares all functions of the module in its order, each on one line, before it defines
// them: of what begins in the first column nothing else ends in `);`.
//
//===----------------------------------------------------------------------===//

#include "SampledSource.h"
#include "SourceSplitter.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

Expected<std::string> warpo::markFunctions(StringRef source, size_t count) {
  size_t head = source.find(headEnd);
  if (head == StringRef::npos)
    return makeError(
        "wasm2c's C has an unknown form, in which functions cannot be found; try --engine=node");
  std::string marked = source.take_front(head).str(), table;
  size_t declared = 0;
  for (StringRef rest = source.drop_front(head); !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.ends_with(");") && line.consume_front("static ")) {
      ++declared;
      table += ("  (const void *)" + functionName(line) + ",\n").str();
      marked += "static WARPO_NATIVE_FUNCTION ";
    }
    marked += line;
    marked += '\n';
  }
  if (declared != count)
    return makeError("wasm2c's C declares " + Twine(declared) + " functions, not " + Twine(count) +
                     ": functions on a stack cannot be distinguished; try --engine=node");
  return marked + "\nconst void *const warpo_native_functions[] = {\n" + table + "};\n";
}

Expected<std::string> warpo::markSamplePoint(StringRef header, StringRef source, StringRef name) {
  std::string comment = ("/* export: '" + name + "' */").str();
  StringRef address = source.split(comment).second.split("return &instance->").second;
  std::string declaration = ("  u64 " + address.split(';').first + ";\n").str();
  size_t at = header.find(declaration);
  if (address.empty() || at == StringRef::npos)
    return makeError("wasm2c's C has no sample point that a timer can set; try --engine=interp");
  return (header.take_front(at) + "  volatile" + header.drop_front(at + 1)).str();
}
