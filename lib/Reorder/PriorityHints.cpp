//===- PriorityHints.cpp --------------------------------------------------===//

#include "PriorityHints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;

static void append(SmallVectorImpl<uint8_t> &out, uint64_t number) {
  uint8_t encoded[10];
  out.append(encoded, encoded + encodeULEB128(number, encoded));
}

SmallVector<uint8_t, 0> warpo::encodePriorities(ArrayRef<uint32_t> order) {
  std::vector<std::pair<uint32_t, uint32_t>> priorities;
  for (auto [priority, function] : enumerate(order))
    priorities.push_back({function, uint32_t(priority)});
  llvm::sort(priorities);
  SmallVector<uint8_t, 0> contents;
  append(contents, priorities.size());
  for (auto [function, priority] : priorities) {
    append(contents, function);
    append(contents, 1); // one hint
    append(contents, 0); // for the function as a whole
    append(contents, getULEB128Size(priority));
    append(contents, priority);
  }
  return contents;
}
