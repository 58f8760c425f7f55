//===- Helper.cpp ---------------------------------------------------------===//

#include "Helper.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

/// A file in memory: a child may read or write as much as it likes without anybody waiting.
class MemoryFile {
public:
  static Expected<MemoryFile> create() {
    int fd = memfd_create("warpo", MFD_CLOEXEC);
    if (fd < 0)
      return fileError("file in memory", std::error_code(errno, std::generic_category()));
    return MemoryFile(fd);
  }
  MemoryFile(MemoryFile &&other) : fd_(std::exchange(other.fd_, -1)) {}
  ~MemoryFile() {
    if (fd_ >= 0)
      close(fd_);
  }
  int descriptor() const { return fd_; }

  Error fill(StringRef contents) {
    raw_fd_ostream os(fd_, /*shouldClose=*/false, /*unbuffered=*/true);
    os << contents;
    std::error_code code = os.error();
    os.clear_error();
    if (!code && lseek(fd_, 0, SEEK_SET) != 0)
      code = std::error_code(errno, std::generic_category());
    return code ? fileError("file in memory", code) : Error::success();
  }
  /// The first `limit` bytes.
  std::string head(size_t limit) {
    std::string text(limit, '\0');
    ssize_t size = pread(fd_, text.data(), limit, 0);
    text.resize(size > 0 ? size_t(size) : 0);
    return text;
  }

private:
  explicit MemoryFile(int fd) : fd_(fd) {}
  int fd_;
};

} // namespace

Expected<HelperEnd> warpo::runHelper(StringRef name, ArrayRef<std::string> arguments,
                                     StringRef input) {
  std::string path = (WARPO_HELPERS "/" + name).str();
  auto program = findInstalledFile(path);
  if (!program)
    return program.takeError();
  auto inputFile = MemoryFile::create();
  if (!inputFile)
    return inputFile.takeError();
  if (Error error = inputFile->fill(input))
    return error;
  auto wordsFile = MemoryFile::create();
  if (!wordsFile)
    return wordsFile.takeError();

  ChildProcess child;
  child.program = *program;
  child.arguments = {name.str()};
  child.arguments.insert(child.arguments.end(), arguments.begin(), arguments.end());
  // What a library prints on its standard output belongs to its words too.
  child.descriptors = {{inputFile->descriptor(), STDIN_FILENO},
                       {wordsFile->descriptor(), STDOUT_FILENO},
                       {wordsFile->descriptor(), STDERR_FILENO}};
  auto end = runChild(child);
  if (!end)
    return end.takeError();
  HelperEnd result;
  result.result = std::move(end->answer);
  result.exitCode = end->exitCode;
  result.words = asMessage(wordsFile->head(4096));
  if (result.words.empty())
    result.words = end->description;
  return result;
}
