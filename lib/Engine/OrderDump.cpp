//===- OrderDump.cpp ------------------------------------------------------===//

#include "OrderDump.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace warpo;

static std::error_code write(raw_fd_ostream &os, ArrayRef<uint8_t> memory) {
  os << toStringRef(memory);
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return code;
}

void warpo::recordOrderDump(const RecordTarget &target, ArrayRef<uint8_t> memory,
                            RunResult &result) {
  result.recordIsOrderDump = true;
  std::error_code code;
  if (target.file.empty()) {
    raw_fd_ostream os(target.descriptor, /*shouldClose=*/false);
    code = write(os, memory);
  } else {
    raw_fd_ostream os(target.file, code);
    if (!code)
      code = write(os, memory);
  }
  if (code)
    result.recordError =
        (target.file.empty() ? "standard output" : target.file) + ": " + code.message();
}
