//===- StreamSpool.h - What is to be written stream by stream -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record tells of its streams by turns; some formats want each in one piece. Until all is known,
// what is to be written waits here, in memory up to a limit, then in a temporary file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_STREAMSPOOL_H
#define WARPO_SUPPORT_STREAMSPOOL_H

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

  /// Reads the stream's bytes from `from` on, which must exist, into `bytes`: all that have room
  /// there, or fewer, which end where something that was appended does.
  llvm::Expected<size_t> readAt(size_t stream, uint64_t from,
                                llvm::MutableArrayRef<uint8_t> bytes) const;
  /// Puts `bytes` in place of the stream's from `from` on, which must be there, and appended at
  /// once.
  llvm::Error replace(size_t stream, uint64_t from, llvm::ArrayRef<uint8_t> bytes);

private:
  struct Block {
    /// In the file.
    uint64_t offset;
    uint64_t size;
    /// In the stream.
    uint64_t begin;
    uint64_t end() const { return begin + size; }
  };
  struct Stream {
    std::vector<Block> blocks;
    /// What comes after the blocks.
    std::vector<uint8_t> pending;
    uint64_t pendingBegin() const { return blocks.empty() ? 0 : blocks.back().end(); }
    const Block &blockAt(uint64_t position) const;
  };

  llvm::Error spill();
  llvm::Error readFile(uint64_t offset, llvm::MutableArrayRef<uint8_t> bytes) const;
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
  /// Reads the stream's values from number `from` on, which must exist, into `values`: how many the
  /// spool likes, at least one.
  llvm::Expected<size_t> readAt(size_t stream, uint64_t from,
                                llvm::MutableArrayRef<T> values) const {
    auto size =
        spool_.readAt(stream, from * sizeof(T),
                      {reinterpret_cast<uint8_t *>(values.data()), values.size() * sizeof(T)});
    if (!size)
      return size;
    return *size / sizeof(T);
  }
  /// Puts `field` in place of the bytes of value number `number` from its byte `offset` on.
  template <typename Field>
  llvm::Error replace(size_t stream, uint64_t number, size_t offset, const Field &field) {
    static_assert(std::is_trivially_copyable_v<Field>);
    return spool_.replace(stream, number * sizeof(T) + offset,
                          {reinterpret_cast<const uint8_t *>(&field), sizeof(Field)});
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
