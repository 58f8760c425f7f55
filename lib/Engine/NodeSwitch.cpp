//===- NodeSwitch.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NodeSwitch.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/Counters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <sys/socket.h>

using namespace llvm;
using namespace warpo;

Expected<std::unique_ptr<NodeSwitch>>
NodeSwitch::create(const std::function<void(bool)> &onSwitch) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fileError("socket to switch recording", std::error_code(errno, std::generic_category()));
  return std::unique_ptr<NodeSwitch>(
      new NodeSwitch(OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]), onSwitch));
}

NodeSwitch::NodeSwitch(OwnedDescriptor ownEnd, OwnedDescriptor scriptsEnd,
                       const std::function<void(bool)> &onSwitch)
    : ownEnd_(std::move(ownEnd)), scriptsEnd_(std::move(scriptsEnd)), onSwitch_(onSwitch) {
  signal_.emplace([this] { ask(); });
}

NodeSwitch::~NodeSwitch() {
  // Ends the wait for an answer.
  shutdown(ownEnd_.get(), SHUT_RDWR);
  signal_.reset();
}

// The script answers when recording has been switched; until then, the next signal waits.
void NodeSwitch::ask() {
  constexpr StringLiteral wish = "toggle\n";
  if (send(ownEnd_.get(), wish.data(), wish.size(), MSG_NOSIGNAL) < 0)
    return;
  std::string answer;
  char next;
  while (!StringRef(answer).ends_with("\n")) {
    ssize_t count = recv(ownEnd_.get(), &next, 1, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    answer.push_back(next);
  }
  onSwitch_(answer == "on\n");
}

static bool isSwitchable(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return false;
  auto module = wasm::readModule(arrayRefFromStringRef((*buffer)->getBuffer()), path);
  if (module)
    return bool(wasm::findCounter(*module, wasm::Counter::recording));
  // The script reports what is wrong.
  consumeError(module.takeError());
  return false;
}

bool warpo::isSwitchable(const RunRequest &request) {
  return ::isSwitchable(request.app) || any_of(request.links, [](const RunRequest::Link &link) {
           return ::isSwitchable(link.path);
         });
}
