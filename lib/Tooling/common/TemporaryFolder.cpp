//===- TemporaryFolder.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TemporaryFolder.h"
#include "llvm/ADT/SmallString.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static constexpr int signals[] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[std::size(signals)];
/// The folder that the handler removes, and the command for that. Prepared in advance, as a handler
/// must not allocate.
static char pathToRemove[PATH_MAX];
static char program[] = "/bin/rm", options[] = "-rf", endOfOptions[] = "--";
static char *const arguments[] = {program, options, endOfOptions, pathToRemove, nullptr};

static void restoreHandlers() {
  for (size_t i = 0; i != std::size(signals); ++i)
    sigaction(signals[i], &before[i], nullptr);
}

// Reading a folder is not async-signal-safe, so another program removes it. Then the signal is
// raised for the previous handler, and delivered when this one returns.
static void removeAndPassOn(int signal) {
  pid_t child = _Fork();
  if (child == 0) {
    execv(program, arguments);
    _exit(1);
  }
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  restoreHandlers();
  raise(signal);
}

static void installHandlers() {
  struct sigaction action = {};
  action.sa_handler = removeAndPassOn;
  for (int signal : signals)
    sigaddset(&action.sa_mask, signal);
  for (size_t i = 0; i != std::size(signals); ++i) {
    sigaction(signals[i], nullptr, &before[i]);
    // Ignored signals stay ignored, as with nohup.
    if (before[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &action, nullptr);
  }
}

Expected<TemporaryFolder> TemporaryFolder::create(StringRef prefix) {
  SmallString<128> path;
  std::error_code code = sys::fs::createUniqueDirectory(prefix, path);
  if (!code && path.size() >= sizeof(pathToRemove))
    code = std::make_error_code(std::errc::filename_too_long);
  if (code)
    return fileError("temporary folder", code);
  std::strcpy(pathToRemove, path.c_str());
  installHandlers();
  return TemporaryFolder(path.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty())
    return;
  sys::fs::remove_directories(path_);
  restoreHandlers();
}
