//===- OutputFile.h - Output that appears whole or not at all -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_OUTPUTFILE_H
#define WARPO_SUPPORT_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace warpo {

/// A file that is written beside its final place and moved there by commit(): a failed run leaves
/// no half file and keeps what was there before. A symbolic link is written through. `-` (standard
/// output), devices and pipes are written directly.
class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path);
  /// The same for output of a format: a binary one is refused to a terminal.
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path,
                                                            llvm::StringRef format, bool isBinary);

  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Without a commit() the temporary file is removed.
  ~OutputFile();

  llvm::raw_fd_ostream &os() { return *stream_; }
  /// What to call the output in messages: the path, or `<stdout>`.
  llvm::StringRef name() const { return name_; }

  /// Fails in commit() if something is there by then: of two that write one file at once, one does.
  /// Before it.
  void mustBeNew() { mustBeNew_ = true; }

  /// The first write that failed so far, if any: asked now and then by long jobs, which should not
  /// go on for nothing.
  llvm::Error check();
  /// Flushes and closes the file, which some file systems need before they say that the disk is
  /// full. Standard output stays open: toolMain closes it.
  llvm::Error close();
  /// Closes the file and moves it to its place.
  llvm::Error commit();

private:
  OutputFile(std::string name, std::string target, std::string temporary,
             std::unique_ptr<llvm::raw_fd_ostream> stream);

  std::string name_;
  /// Where commit() puts the file: what name_ points to, if that is a link. Empty for what is
  /// written directly.
  std::string target_;
  std::string temporary_;
  std::unique_ptr<llvm::raw_fd_ostream> stream_;
  /// Standard output is not ours to close.
  bool isStandard_ = false;
  bool isOpen_ = true;
  bool mustBeNew_ = false;
};

/// Calls `write` with the stream of a new OutputFile and commits it.
llvm::Error writeOutput(llvm::StringRef path,
                        llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

} // namespace warpo

#endif
