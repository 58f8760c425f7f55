//===- OutputSet.cpp ------------------------------------------------------===//

#include "warpo/Support/OutputSet.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/ResolvedPath.h"

using namespace llvm;
using namespace warpo;

Error OutputSet::add(StringRef path, Write write) {
  if (path.empty())
    return Error::success();
  for (const Output &other : outputs_)
    if (other.path == path || (path != "-" && resolvedPath(other.path) == resolvedPath(path)))
      return makeError("two outputs go to " + (path == "-" ? "standard output" : "'" + path + "'"));
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  outputs_.push_back({path.str(), std::move(*file), std::move(write)});
  return Error::success();
}

Error OutputSet::write() {
  for (Output &output : outputs_) {
    output.write(output.file->os());
    output.file->os().flush();
    if (Error error = output.file->check())
      return error;
  }
  for (Output &output : outputs_)
    if (Error error = output.file->commit())
      return error;
  return Error::success();
}
