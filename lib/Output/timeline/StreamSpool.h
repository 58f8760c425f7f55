//===- StreamSpool.h - What is to be written stream by stream -------------===//
//
// A record tells of its streams by turns; some formats want each in one piece. Until all is known,
// what is to be written waits here, in memory up to a limit, then in a temporary file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TIMELINE_STREAMSPOOL_H
#define WARPO_OUTPUT_TIMELINE_STREAMSPOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

namespace warpo {

/// Bytes of many streams, each in the order in which they were added. The temporary file lies where
/// the system keeps such files (TMPDIR) and has no name, so that nothing of it is left whatever
/// becomes of the process.
class ByteSpool {
public:
  /// Bytes that are kept in memory, over all streams.
  static constexpr size_t maxBuffered = 8u << 20;

  ByteSpool();
  ~ByteSpool();

  llvm::Error append(size_t stream, llvm::ArrayRef<uint8_t> bytes);
  /// Calls `consume` with the stream's bytes, in pieces of a multiple of `unit` if what was
  /// appended was that. May be done several times.
  llvm::Error read(size_t stream, size_t unit,
                   llvm::function_ref<void(llvm::ArrayRef<uint8_t>)> consume) const;

private:
  struct Block {
    uint64_t offset;
    uint64_t size;
  };
  struct Stream {
    std::vector<Block> blocks;
    /// What comes after the blocks.
    std::vector<uint8_t> pending;
  };

  llvm::Error spill();
  llvm::Error openFile();

  std::vector<Stream> streams_;
  size_t buffered_ = 0;
  std::string path_;
  int descriptor_ = -1;
  std::unique_ptr<llvm::raw_fd_ostream> file_;
  uint64_t fileSize_ = 0;
};

/// The same for values that are plain bytes.
template <typename T> class StreamSpool {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  llvm::Error append(size_t stream, llvm::ArrayRef<T> values) {
    return spool_.append(
        stream, {reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(T)});
  }
  /// Calls `consume` with each value of the stream.
  template <typename F> llvm::Error read(size_t stream, F consume) const {
    return spool_.read(stream, sizeof(T), [&](llvm::ArrayRef<uint8_t> bytes) {
      for (; !bytes.empty(); bytes = bytes.drop_front(sizeof(T))) {
        T value;
        std::memcpy(&value, bytes.data(), sizeof(T));
        consume(value);
      }
    });
  }

private:
  ByteSpool spool_;
};

} // namespace warpo

#endif
