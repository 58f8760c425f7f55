//===- GuestHost.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GuestHost.h"
#include "wasi/Descriptors.h"
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
  const int streams[] = {standardStream(STDIN_FILENO), standardStream(STDOUT_FILENO),
                         standardStream(STDERR_FILENO)};
  files_ = std::make_unique<wasi::Descriptors>(streams, !world_->showsStreams());
}

GuestHost::~GuestHost() = default;

Error GuestHost::openFolders(ArrayRef<RunRequest::Directory> folders) {
  return files_->openFolders(folders);
}

static SmallVector<ArrayRef<HostFunction>, 4> groupsOf(StringRef module) {
  if (module == "wasi_snapshot_preview1" || module == "wasi_unstable")
    return {wasiFunctions(), wasiPathFunctions(), wasiDescriptorFunctions(),
            wasiDirectoryFunctions()};
  if (module == "env")
    return {assemblyScriptFunctions()};
  if (module == wasm::hostModule)
    return {instrumentationFunctions()};
  return {};
}

const HostFunction *GuestHost::find(StringRef module, StringRef name) {
  for (ArrayRef<HostFunction> group : groupsOf(module))
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
