//===- StreamSpool.h - Buffers data of many streams -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Streams alternate in a record, but some formats need each in one piece. Until the end of the
// record, data is kept here: in memory up to a limit, then in a temporary file.
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

/// The bytes of many streams, for each in the order of addition. The temporary file is in the
/// system's folder for such files (TMPDIR) and has no name, so that it vanishes however the process
/// ends.
class ByteSpool {
public:
  /// Maximum bytes in memory, over all streams.
  static constexpr size_t maxBuffered = 8u << 20;

  ByteSpool();
  ~ByteSpool();

  llvm::Error append(size_t stream, llvm::ArrayRef<uint8_t> bytes);
  /// Calls `consume` with the stream's bytes, in pieces that are multiples of `unit` if all
  /// appended ones were. May be called repeatedly.
  llvm::Error read(size_t stream, size_t unit,
                   llvm::function_ref<void(llvm::ArrayRef<uint8_t>)> consume) const;

  /// Reads the stream's bytes from `from` on, which must exist, into `bytes`. Returns how many: all
  /// of `bytes`, or fewer that end with the end of an append().
  llvm::Expected<size_t> readAt(size_t stream, uint64_t from,
                                llvm::MutableArrayRef<uint8_t> bytes) const;
  /// Replaces the stream's bytes from `from` on; these must exist and come from a single append().
  llvm::Error replace(size_t stream, uint64_t from, llvm::ArrayRef<uint8_t> bytes);

private:
  struct Block {
    /// Position in the file.
    uint64_t offset;
    uint64_t size;
    /// Position in the stream.
    uint64_t begin;
    uint64_t end() const { return begin + size; }
  };
  struct Stream {
    std::vector<Block> blocks;
    /// The bytes after the blocks.
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

/// The same for values of a trivially copyable type.
template <typename T> class StreamSpool {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  llvm::Error append(size_t stream, llvm::ArrayRef<T> values) {
    return spool_.append(
        stream, {reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(T)});
  }
  /// Reads the stream's values from number `from` on, which must exist, into `values`. Returns how
  /// many, at least one.
  llvm::Expected<size_t> readAt(size_t stream, uint64_t from,
                                llvm::MutableArrayRef<T> values) const {
    auto size =
        spool_.readAt(stream, from * sizeof(T),
                      {reinterpret_cast<uint8_t *>(values.data()), values.size() * sizeof(T)});
    if (!size)
      return size;
    return *size / sizeof(T);
  }
  /// Replaces the bytes of value number `number` from its byte `offset` on by `field`.
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
