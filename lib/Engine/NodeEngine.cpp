//===- NodeEngine.cpp - Runs programs in V8, by the installed Node --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs js/host/run.mjs in a child process, which also writes the record.
//
//===----------------------------------------------------------------------===//

#include "NodeAccess.h"
#include "NodeAnswer.h"
#include "NodeSwitch.h"
#include "RecordFile.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/MemoryFile.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "wasi/Descriptors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <deque>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral scriptPath = "share/warpo/js/host/run.mjs";

/// The child's file descriptor for the record.
constexpr int recordDescriptor = ChildProcess::answerDescriptor + 1;
/// The same for a file that it writes artifacts to.
constexpr int artifactsDescriptor = recordDescriptor + 1;
/// The same for a socket by which recording is switched.
constexpr int switchDescriptor = artifactsDescriptor + 1;

/// `descriptor` is the record's descriptor, or -1.
ChildProcess describeChild(StringRef node, StringRef script, const RunRequest &request,
                           int descriptor) {
  ChildProcess child;
  child.program = node.str();
  std::vector<std::string> &arguments = child.arguments;
  arguments = {"node", script.str(),
               "--result-fd=" + std::to_string(ChildProcess::answerDescriptor)};
  const RecordTarget &record = request.record;
  if (!record.file.empty())
    arguments.push_back("--record=" + record.file);
  if (descriptor >= 0) {
    child.descriptors.push_back({descriptor, recordDescriptor});
    arguments.push_back("--record-fd=" + std::to_string(recordDescriptor));
  }
  if (record.wanted())
    arguments.push_back("--artifacts-fd=" + std::to_string(artifactsDescriptor));
  if (record.maxItems)
    arguments.push_back("--max-items=" + std::to_string(*record.maxItems));
  if (record.onlyFuel)
    arguments.push_back("--record-clock=fuel");
  if (request.fuelLimit)
    arguments.push_back("--fuel-limit=" + std::to_string(*request.fuelLimit));
  if (request.sampling.everyFuel)
    arguments.push_back("--sample-every=" + std::to_string(*request.sampling.everyFuel));
  else
    arguments.push_back("--frequency=" + std::to_string(request.sampling.frequency));
  if (request.sampling.heapInterval != 0) {
    arguments.push_back("--heap-sample-every=" + std::to_string(request.sampling.heapInterval));
    arguments.push_back("--heap-seed=" + std::to_string(request.sampling.heapSeed));
  }
  if (!request.countsOf.empty())
    arguments.push_back("--counts-of=" + request.countsOf);
  if (request.sampling.byEngine)
    arguments.push_back("--sample");
  arguments.push_back("--guest-stack=" + request.guestStack);
  if (request.deterministic)
    arguments.push_back("--deterministic");
  if (!request.invoke.empty())
    arguments.push_back("--invoke=" + request.invoke);
  if (!request.hostImports.empty())
    arguments.push_back("--host=" + request.hostImports);
  for (const std::string &argument : request.invokeArguments)
    arguments.push_back("--arg=" + argument);
  for (const RunRequest::Link &link : request.links)
    arguments.push_back("--link=" + link.name + "=" + link.path);
  for (const RunRequest::Variable &variable : request.environment)
    arguments.push_back("--env=" + variable.name + "=" + variable.value);
  for (const RunRequest::Directory &directory : request.directories)
    arguments.push_back("--dir=" + directory.host + "::" + directory.guest);
  arguments.push_back("--");
  arguments.push_back(request.app);
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  if (request.outputToStderr)
    child.descriptors.push_back({STDERR_FILENO, STDOUT_FILENO});
  return child;
}

/// A temporary file with a mapping's names for a module, which the child reads.
class NameFile {
public:
  NameFile(uint64_t module, std::string path)
      : module_(module), path_(std::move(path)), remover_(path_) {}
  const std::string &path() const { return path_; }
  std::string argument() const { return "--names=" + std::to_string(module_) + "=" + path_; }

private:
  uint64_t module_;
  std::string path_;
  FileRemover remover_;
};

/// The module's own id, or the one that the script gives to the module at this position, from 1.
uint64_t idOf(StringRef path, uint64_t place) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return place;
  auto identity = wasm::readModuleIdentity(arrayRefFromStringRef((*buffer)->getBuffer()), path);
  if (!identity) {
    // The script reports that too.
    consumeError(identity.takeError());
    return place;
  }
  return *identity ? (*identity)->moduleId : place;
}

Error addNames(uint64_t module, ArrayRef<FunctionName> names, std::deque<NameFile> &files) {
  int descriptor;
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("warpo", "map", descriptor, path))
    return makeError("cannot make a temporary file: " + code.message());
  files.emplace_back(module, path.str().str());
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  for (const FunctionName &function : names)
    os << function.id << ' ' << function.name << '\n';
  os.close();
  if (!os.has_error())
    return Error::success();
  std::error_code code = os.error();
  os.clear_error();
  return makeError(path.str() + ": " + code.message());
}

/// Writes files with the names of all modules for which the request has names.
Error writeNames(const RunRequest &request, std::deque<NameFile> &files) {
  if (!request.record.namesOf)
    return Error::success();
  std::vector<StringRef> paths = {request.app};
  for (const RunRequest::Link &link : request.links)
    paths.push_back(link.path);
  for (size_t i = 0; i < paths.size(); ++i) {
    uint64_t module = idOf(paths[i], i + 1);
    std::vector<FunctionName> names = request.record.namesOf(module);
    if (names.empty())
      continue;
    if (Error error = addNames(module, names, files))
      return error;
  }
  return Error::success();
}

/// Readers are written in C++, but V8 runs in another process. In JavaScript there is only
/// `export`.
Error checkGuestStack(StringRef name) {
  if (name == "auto" || name == "none" || name == "export")
    return Error::success();
  auto reader = warpo::Registry<GuestStack>::create(name);
  if (!reader)
    return reader.takeError();
  return makeError("engine node does not read the guest stack '" + name +
                   "'; engines interp and native do");
}

/// Confines the child to the files that the run needs, if requested and supported by the kernel.
Error confine(const RunRequest &request, StringRef script, const std::deque<NameFile> &names,
              ChildProcess &child) {
  if (request.landlock == RunRequest::Landlock::off)
    return Error::success();
  if (!hasLandlock()) {
    if (request.landlock == RunRequest::Landlock::required)
      return makeError(
          "--landlock=on: this kernel has no Landlock, or not enough of it: that needs "
          "Linux 5.19 or newer, with Landlock enabled");
    return Error::success();
  }
  auto node = findNodeItself(child.program);
  if (!node)
    return node.takeError();
  child.program = *node;
  child.confinement = accessOfNode(*node, script, request);
  for (const NameFile &file : names)
    child.confinement->readable.push_back(file.path());
  return Error::success();
}

/// A host module may need files that are not known in advance.
constexpr StringLiteral confinementHint =
    "; Node may open the folders of --dir and what it needs itself, which --landlock=off changes";

bool wasRefusedFile(StringRef message) { return message.contains("EACCES"); }

class NodeEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    if (Error error = checkGuestStack(request.guestStack))
      return error;
    auto node = sys::findProgramByName("node");
    if (!node)
      return makeError("engine node needs Node, version 18.3 or newer, and there is no program "
                       "'node' on the PATH; try --engine=interp");
    auto script = findInstalledFile(scriptPath);
    if (!script)
      return script.takeError();
    for (const RunRequest::Directory &folder : request.directories)
      if (auto opened = wasi::openFolder(folder.host); !opened)
        return opened.takeError();
    const std::string &file = request.record.file;
    std::optional<RecordFile> record = file.empty() ? std::nullopt : RecordFile::open(file);
    int descriptor = record ? record->descriptor() : request.record.descriptor;
    ChildProcess child = describeChild(*node, *script, request, descriptor);
    auto artifacts = MemoryFile::create();
    if (!artifacts)
      return artifacts.takeError();
    if (request.record.wanted())
      child.descriptors.push_back({artifacts->descriptor(), artifactsDescriptor});
    std::unique_ptr<NodeSwitch> recordSwitch;
    if (request.record.onSwitch && request.record.wanted() && isSwitchable(request)) {
      auto created = NodeSwitch::create(request.record.onSwitch);
      if (!created)
        return created.takeError();
      recordSwitch = std::move(*created);
      child.descriptors.push_back({recordSwitch->scriptsEnd(), switchDescriptor});
      child.arguments.insert(child.arguments.begin() + 2,
                             "--switch-fd=" + std::to_string(switchDescriptor));
    }
    std::deque<NameFile> names;
    if (Error error = writeNames(request, names))
      return error;
    for (const NameFile &file : names)
      child.arguments.insert(child.arguments.begin() + 2, file.argument());
    if (Error error = confine(request, *script, names, child))
      return error;
    // The child reports what it has recorded even after a signal.
    child.isOutlived = true;
    // Of all signals only this one ends a call that runs (js/host/interruptible.mjs).
    child.signalToEnd = SIGINT;
    auto end = runChild(child);
    if (!end)
      return end.takeError();
    if (end->answer.empty() && end->outlivedSignal)
      raise(end->outlivedSignal);
    if (end->answer.empty() && is_contained({SIGHUP, SIGINT, SIGTERM}, end->signal))
      raise(end->signal);
    if (end->answer.empty())
      return makeError(child.program + " ended with " + end->description +
                       " and did not report how the program ended (version 18.3 or newer is "
                       "needed" +
                       (child.confinement ? confinementHint : "") + ")");
    auto result = understand(end->answer, artifacts->contents(), child);
    if (result && end->outlivedSignal && result->exitCode == 128 + child.signalToEnd)
      result->exitCode = 128 + end->outlivedSignal;
    return result;
  }

  bool provides(wasm::HostCall) const override { return true; }
  bool writes(StringRef format) const override { return format == "warpo"; }
  bool hasStacks() const override { return true; }
  unsigned samplerPreference() const override { return 3; }
  unsigned preference() const override { return 10; }
  bool isAvailable() const override { return bool(sys::findProgramByName("node")); }

private:
  static Expected<RunResult> understand(StringRef answer, StringRef artifacts,
                                        const ChildProcess &child) {
    auto result = parseNodeAnswer(answer, artifacts);
    if (!result) {
      std::string message = toString(result.takeError());
      bool isRefused = child.confinement && wasRefusedFile(message);
      return makeError(message + (isRefused ? confinementHint : ""));
    }
    if (result->trap && child.confinement && wasRefusedFile(result->trap->message))
      result->trap->message += confinementHint;
    result->engine = "node";
    return result;
  }
};

warpo::Registry<Engine>::Add<NodeEngine> registration("node",
                                                      "V8, in the installed Node; full WASI");

} // namespace
