//===- NodeEngine.cpp - V8, by a host script in the installed Node --------===//
//
// Runs js/host/run.mjs in a child process, which also writes the record. Times are nanoseconds.
//
//===----------------------------------------------------------------------===//

#include "NodeAnswer.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr StringLiteral scriptPath = "share/warpo/js/host/run.mjs";

/// As what the child sees the record.
constexpr int recordDescriptor = ChildProcess::answerDescriptor + 1;

ChildProcess describeChild(StringRef node, StringRef script, const RunRequest &request) {
  ChildProcess child;
  child.program = node.str();
  std::vector<std::string> &arguments = child.arguments;
  arguments = {"node", script.str(),
               "--result-fd=" + std::to_string(ChildProcess::answerDescriptor)};
  const RecordTarget &record = request.record;
  if (!record.file.empty()) {
    arguments.push_back("--record=" + record.file);
  } else if (record.descriptor >= 0) {
    child.descriptors.push_back({record.descriptor, recordDescriptor});
    arguments.push_back("--record-fd=" + std::to_string(recordDescriptor));
  }
  arguments.push_back("--record-format=" + record.format);
  if (record.maxItems)
    arguments.push_back("--max-items=" + std::to_string(*record.maxItems));
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

class NodeEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    auto node = sys::findProgramByName("node");
    if (!node)
      return makeError("engine node needs Node, version 18.3 or newer, and there is no program "
                       "'node' on the PATH; try --engine=interp");
    auto script = findInstalledFile(scriptPath);
    if (!script)
      return script.takeError();
    auto end = runChild(describeChild(*node, *script, request));
    if (!end)
      return end.takeError();
    if (end->answer.empty())
      return makeError(
          *node + " ended with " + end->description +
          " and did not report how the program ended (version 18.3 or newer is needed)");
    auto result = parseNodeAnswer(end->answer);
    if (result) {
      result->engine = "node";
      result->rate = 1;
    }
    return result;
  }

  unsigned preference() const override { return 10; }
  bool isAvailable() const override { return bool(sys::findProgramByName("node")); }
};

warpo::Registry<Engine>::Add<NodeEngine>
    registration("node", "V8, in the Node that is installed; full WASI");

} // namespace
