//===- ChildProcess.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OwnedDescriptor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <iterator>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

/// The child's actions on descriptors before it executes the program, and its signal mask.
class SpawnActions {
public:
  SpawnActions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  SpawnActions(const SpawnActions &) = delete;
  SpawnActions &operator=(const SpawnActions &) = delete;
  ~SpawnActions() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  void duplicate(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void delay(const sigset_t &signals) {
    posix_spawnattr_setsigmask(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  const posix_spawn_file_actions_t *get() const { return &actions_; }
  const posix_spawnattr_t *attributes() const { return &attributes_; }

private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string describeStatus(int status) {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

/// Duplicates a descriptor above all descriptors of the child, so that none is overwritten before
/// it has been duplicated.
int duplicateHigh(int fd, const ChildProcess &child) {
  int highest = ChildProcess::answerDescriptor;
  for (const ChildProcess::Descriptor &descriptor : child.descriptors)
    highest = std::max(highest, descriptor.childs);
  return fcntl(fd, F_DUPFD_CLOEXEC, highest + 1);
}

Expected<std::string> readAll(int fd) {
  std::string text;
  char block[4096];
  for (;;) {
    ssize_t size = read(fd, block, sizeof(block));
    if (size > 0)
      text.append(block, size_t(size));
    else if (size == 0)
      return text;
    else if (errno != EINTR)
      return fileError("answer of the child", std::error_code(errno, std::generic_category()));
  }
}

/// Signals that end a process from outside.
constexpr int endingSignals[] = {SIGHUP, SIGINT, SIGTERM};
constexpr const char *namesOfSignals[] = {"SIGHUP", "SIGINT", "SIGTERM"};

/// Blocks the ending signals during its lifetime. A signal between the start of a child and the
/// creation of its SignalForwarder would only end this process, and the child would continue. And a
/// handler on a confined thread would lack rights of this process, such as to remove its files.
class SignalDelay {
public:
  SignalDelay() {
    sigset_t delayed;
    sigemptyset(&delayed);
    for (int signal : endingSignals)
      sigaddset(&delayed, signal);
    pthread_sigmask(SIG_BLOCK, &delayed, &before_);
  }
  SignalDelay(const SignalDelay &) = delete;
  SignalDelay &operator=(const SignalDelay &) = delete;
  ~SignalDelay() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// The previous signal mask, which the child gets.
  const sigset_t &before() const { return before_; }

private:
  sigset_t before_;
};

/// During its lifetime, signals that would end this process first end the child, which would
/// otherwise continue; afterwards they end this process, too, unless it outlives the child.
class SignalForwarder {
public:
  SignalForwarder(pid_t pid, const ChildProcess &child) : isOutlived_(child.isOutlived) {
    child_ = pid;
    received_ = 0;
    signalToEnd_ = child.signalToEnd;
    StringRef signalFolder = child.signalFolder;
    for (size_t i = 0; i < std::size(endingSignals); ++i) {
      auto fileFor = [&](pid_t receiver) {
        return signalFolder.empty()
                   ? std::string()
                   : (signalFolder + "/" + Twine(receiver) + "." + namesOfSignals[i]).str();
      };
      childFiles_[i] = fileFor(pid);
      groupFiles_[i] = fileFor(-getpgrp());
      struct sigaction action = {};
      action.sa_sigaction = forward;
      action.sa_flags = SA_SIGINFO;
      sigaction(endingSignals[i], nullptr, &before_[i]);
      // Signals that are ignored (nohup) are ignored in the child, too.
      if (before_[i].sa_handler != SIG_IGN)
        sigaction(endingSignals[i], &action, nullptr);
    }
    struct sigaction action = {};
    action.sa_handler = killChild;
    sigaction(SIGALRM, &action, &alarmBefore_);
  }
  SignalForwarder(const SignalForwarder &) = delete;
  SignalForwarder &operator=(const SignalForwarder &) = delete;
  ~SignalForwarder() {
    if (signalToEnd_)
      alarm(0);
    sigaction(SIGALRM, &alarmBefore_, nullptr);
    for (size_t i = 0; i < std::size(endingSignals); ++i)
      sigaction(endingSignals[i], &before_[i], nullptr);
    if (received_ && !isOutlived_)
      raise(received_);
  }

  int received() const { return received_; }

private:
  /// Seconds that a child has to end after signalToEnd.
  static constexpr unsigned patience = 10;

  // Ctrl-C in a terminal has reached the child as well, but a hangup may have reached only this
  // process. A process between a terminal and this one may forward the same signal at once, so that
  // only a signal 2 s after the last step is another request.
  static void forward(int signal, siginfo_t *info, void *) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    bool isFirst = received_ != signal;
    bool isAgain = !isFirst && now.tv_sec - lastTime_ >= 2;
    asked_ = isFirst ? 1 : asked_ + isAgain;
    received_ = signal;
    if (isFirst || isAgain)
      lastTime_ = now.tv_sec;
    bool childHasIt = signal == SIGINT && info->si_code == SI_KERNEL;
    int forChild = signalToEnd_ ? signalToEnd_ : signal;
    if (isFirst)
      createFile(childHasIt ? groupFiles_ : childFiles_, signal);
    if (isAgain)
      kill(child_, asked_ == 2 && !signalToEnd_ ? SIGTERM : SIGKILL);
    else if (isFirst && !childHasIt)
      kill(child_, forChild);
    // Whoever sends other signals than that of Ctrl-C may not ask again.
    if (isFirst && forChild != signal)
      alarm(patience);
  }

  static void killChild(int) { kill(child_, SIGKILL); }

  static void createFile(const std::string (&files)[std::size(endingSignals)], int signal) {
    int error = errno;
    size_t i = size_t(find(endingSignals, signal) - std::begin(endingSignals));
    if (!files[i].empty())
      if (int fd = open(files[i].c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600); fd >= 0)
        close(fd);
    errno = error;
  }

  // Prepared in advance, as a handler must not allocate.
  static inline std::string childFiles_[std::size(endingSignals)];
  static inline std::string groupFiles_[std::size(endingSignals)];
  static inline volatile pid_t child_ = 0;
  static inline volatile sig_atomic_t asked_ = 0;
  static inline volatile time_t lastTime_ = 0;
  static inline volatile sig_atomic_t received_ = 0;
  static inline volatile sig_atomic_t signalToEnd_ = 0;
  struct sigaction before_[std::size(endingSignals)];
  struct sigaction alarmBefore_;
  bool isOutlived_;
};

Expected<pid_t> start(const ChildProcess &child, const SpawnActions &actions,
                      std::vector<char *> &arguments) {
  Error failure = Error::success();
  pid_t pid = 0;
  auto spawn = [&] {
    if (child.confinement)
      failure = confineThread(*child.confinement);
    if (failure)
      return;
    if (int error = posix_spawn(&pid, child.program.c_str(), actions.get(), actions.attributes(),
                                arguments.data(), environ))
      failure = fileError(child.program, std::error_code(error, std::generic_category()));
  };
  // The child inherits the confinement of the thread that starts it, and this thread must not be
  // confined.
  if (child.confinement)
    std::thread(spawn).join();
  else
    spawn();
  if (failure)
    return failure;
  return pid;
}

} // namespace

Expected<ChildEnd> warpo::runChild(const ChildProcess &child) {
  auto systemError = [&](int error) {
    return fileError(child.program, std::error_code(error, std::generic_category()));
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return systemError(errno);
  OwnedDescriptor answer(ends[0]), pipeEnd(ends[1]);
  OwnedDescriptor childAnswer(duplicateHigh(ends[1], child));
  pipeEnd.reset();
  if (childAnswer.get() < 0)
    return systemError(errno);

  SpawnActions actions;
  actions.duplicate(childAnswer.get(), ChildProcess::answerDescriptor);
  std::vector<OwnedDescriptor> copies;
  for (const ChildProcess::Descriptor &descriptor : child.descriptors) {
    copies.emplace_back(duplicateHigh(descriptor.ours, child));
    if (copies.back().get() < 0)
      return systemError(errno);
    actions.duplicate(copies.back().get(), descriptor.childs);
  }

  std::vector<char *> arguments;
  for (const std::string &argument : child.arguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  std::optional<SignalDelay> delay(std::in_place);
  actions.delay(delay->before());
  auto pid = start(child, actions, arguments);
  childAnswer.reset();
  if (!pid)
    return pid.takeError();

  SignalForwarder forwarder(*pid, child);
  delay.reset();
  auto text = readAll(answer.get());
  int status = 0;
  while (waitpid(*pid, &status, 0) < 0)
    if (errno != EINTR) {
      consumeError(text.takeError());
      return systemError(errno);
    }
  if (!text)
    return text.takeError();
  return ChildEnd{std::move(*text), WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                  WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                  child.isOutlived ? forwarder.received() : 0, describeStatus(status)};
}

std::string warpo::asMessage(StringRef output) {
  constexpr size_t longest = 300;
  std::string text;
  bool wordEnded = false;
  for (size_t i = 0; i < output.size(); ++i) {
    char c = output[i];
    if (c == '\x1b') {
      // A colour is ESC [ numbers m.
      size_t end = output.find('m', i);
      i = end == StringRef::npos ? output.size() : end;
    } else if (isSpace(c) || !isPrint(c)) {
      wordEnded = true;
    } else {
      if (wordEnded && !text.empty())
        text += ' ';
      wordEnded = false;
      text += c;
      if (text.size() >= longest)
        return text + "...";
    }
  }
  return text;
}

Expected<std::string> warpo::findInstalledFile(StringRef path) {
  // Any function's address: needed if /proc is not mounted.
  std::string program =
      sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findInstalledFile));
  SmallString<256> file;
  for (StringRef folder = sys::path::parent_path(program); !folder.empty();
       folder = sys::path::parent_path(folder)) {
    file = folder;
    sys::path::append(file, path);
    if (sys::fs::exists(file))
      return file.str().str();
  }
  return makeError("no " + path + " in any folder above " + program);
}
