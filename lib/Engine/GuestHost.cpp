//===- GuestHost.cpp ------------------------------------------------------===//

#include "GuestHost.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

GuestHost::GuestHost(const RunRequest &request)
    : world_(request.deterministic ? GuestWorld::fixed() : GuestWorld::ofMachine()),
      fuelLimit_(request.fuelLimit), outputToStderr_(request.outputToStderr) {
  arguments_.push_back(sys::path::filename(request.app).str());
  arguments_.insert(arguments_.end(), request.arguments.begin(), request.arguments.end());
  for (const RunRequest::Variable &variable : request.environment)
    environment_.push_back(variable.name + "=" + variable.value);
}

const HostFunction *GuestHost::find(StringRef module, StringRef name) {
  ArrayRef<HostFunction> group;
  if (module == "wasi_snapshot_preview1" || module == "wasi_unstable")
    group = wasiFunctions();
  else if (module == "env")
    group = assemblyScriptFunctions();
  else if (module == wasm::hostModule)
    group = instrumentationFunctions();
  for (const HostFunction &function : group)
    if (function.name == name)
      return &function;
  return nullptr;
}

int GuestHost::standardStream(uint32_t stream) const {
  return stream == STDOUT_FILENO && outputToStderr_ ? STDERR_FILENO : int(stream);
}

void GuestHost::print(uint32_t stream, StringRef text) const {
  while (!text.empty()) {
    ssize_t written = write(standardStream(stream), text.data(), text.size());
    if (written > 0)
      text = text.drop_front(size_t(written));
    else if (written == 0 || errno != EINTR)
      return;
  }
}
