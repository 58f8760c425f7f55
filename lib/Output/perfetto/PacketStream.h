//===- PacketStream.h - Buffers packets and writes them, deflated or not --===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_PACKETSTREAM_H
#define WARPO_OUTPUT_PERFETTO_PACKETSTREAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <vector>

namespace warpo::perfetto {

/// A buffer that packets are written into directly. It must hold only complete packets when
/// flushIfFull is called.
class PacketStream {
public:
  PacketStream(llvm::raw_ostream &os, bool compress) : os_(os), compress_(compress) {}

  /// Reserves `size` bytes at the returned address; advanceTo() then sets the end of the bytes
  /// written.
  uint8_t *reserve(size_t size) {
    if (buffer_.size() < used_ + size)
      buffer_.resize(used_ + size);
    return buffer_.data() + used_;
  }
  void advanceTo(uint8_t *end) { used_ = size_t(end - buffer_.data()); }
  void append(llvm::StringRef packets);

  /// Bytes of packets so far, before compression.
  uint64_t written() const { return flushed_ + used_; }

  llvm::Error flushIfFull() { return used_ >= blockSize ? flush() : llvm::Error::success(); }
  llvm::Error flush();

private:
  static constexpr size_t blockSize = 256 * 1024;

  void writeCompressed(llvm::ArrayRef<uint8_t> packets);

  llvm::raw_ostream &os_;
  bool compress_;
  std::vector<uint8_t> buffer_;
  size_t used_ = 0;
  uint64_t flushed_ = 0;
};

} // namespace warpo::perfetto

#endif
