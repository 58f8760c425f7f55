//===- SampledSource.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c declares all functions of the module in their order, each on one line, before it defines
// them. No other line that begins in the first column ends in `);`.
//
//===----------------------------------------------------------------------===//

#include "SampledSource.h"
#include "SourceSplitter.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Expected<std::vector<StringRef>> warpo::functionsOf(StringRef source, size_t count) {
  size_t head = source.find(headEnd);
  if (head == StringRef::npos)
    return makeError(
        "wasm2c's C has an unknown form, in which functions cannot be found; try --engine=node");
  std::vector<StringRef> functions;
  for (StringRef rest = source.drop_front(head), line; !rest.empty();) {
    std::tie(line, rest) = rest.split('\n');
    if (line.ends_with(");") && line.consume_front("static "))
      functions.push_back(functionName(line));
  }
  if (functions.size() != count)
    return makeError("wasm2c's C declares " + Twine(functions.size()) + " functions, not " +
                     Twine(count) +
                     ": functions on a stack cannot be distinguished; try --engine=node");
  return functions;
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
