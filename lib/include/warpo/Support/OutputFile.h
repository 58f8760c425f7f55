//===- OutputFile.h - Output that appears whole or not at all -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_OUTPUTFILE_H
#define WARPO_SUPPORT_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace warpo {

/// A file that is written beside its target and moved there by commit(): a failed run leaves no
/// partial file and keeps an existing one. Follows symbolic links. `-` (standard output), devices
/// and pipes are written directly.
class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path);
  /// The same for output in a format: fails for a binary one on a terminal.
  static llvm::Expected<std::unique_ptr<OutputFile>> create(llvm::StringRef path,
                                                            llvm::StringRef format, bool isBinary);

  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Removes the temporary file unless it was committed.
  ~OutputFile();

  llvm::raw_fd_ostream &os() { return *stream_; }
  /// The path, or `<stdout>`, for messages.
  llvm::StringRef name() const { return name_; }

  /// Makes commit() fail if the target exists by then, such as if two processes write the same
  /// file. Call before commit().
  void mustBeNew() { mustBeNew_ = true; }

  /// The first failed write so far, if any. To be called now and then by long jobs, to stop early.
  llvm::Error check();
  /// Flushes and closes the file; some file systems report a full disk only then. Standard output
  /// stays open: toolMain closes it.
  llvm::Error close();
  /// Closes the file and moves it to its target.
  llvm::Error commit();

private:
  OutputFile(std::string name, std::string target, std::string temporary,
             std::unique_ptr<llvm::raw_fd_ostream> stream);

  std::string name_;
  /// The path that commit() moves the file to: name_, or its target if that is a link. Empty if
  /// written directly.
  std::string target_;
  std::string temporary_;
  std::unique_ptr<llvm::raw_fd_ostream> stream_;
  /// Standard output, which this must not close.
  bool isStandard_ = false;
  bool isOpen_ = true;
  bool mustBeNew_ = false;
};

/// Calls `write` with the stream of a new OutputFile and commits it.
llvm::Error writeOutput(llvm::StringRef path,
                        llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

} // namespace warpo

#endif
