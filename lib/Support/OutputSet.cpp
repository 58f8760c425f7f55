//===- OutputSet.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/OutputSet.h"

using namespace llvm;
using namespace warpo;

Error OutputSet::add(StringRef path, Write write, StringRef binaryFormat) {
  if (path.empty())
    return Error::success();
  auto file = OutputFile::create(path, binaryFormat, !binaryFormat.empty());
  if (!file)
    return file.takeError();
  outputs_.push_back({path.str(), std::move(*file), std::move(write)});
  return Error::success();
}

Error OutputSet::write() {
  for (Output &output : outputs_) {
    output.write(output.file->os());
    if (Error error = output.file->close())
      return error;
  }
  for (Output &output : outputs_)
    if (Error error = output.file->commit())
      return error;
  return Error::success();
}
