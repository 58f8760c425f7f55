//===- PacketStream.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PacketStream.h"
#include "RarePackets.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <cstring>

using namespace llvm;

namespace warpo::perfetto {

void PacketStream::append(StringRef packets) {
  uint8_t *at = reserve(packets.size());
  std::memcpy(at, packets.data(), packets.size());
  advanceTo(at + packets.size());
}

Error PacketStream::flush() {
  if (used_ == 0)
    return Error::success();
  ArrayRef<uint8_t> packets(buffer_.data(), used_);
  if (compress_) {
    SmallVector<uint8_t, 0> deflated;
    compression::zlib::compress(packets, deflated, compression::zlib::DefaultCompression);
    os_ << compressedPacketHeader(deflated.size()) << toStringRef(deflated);
  } else {
    os_ << toStringRef(packets);
  }
  flushed_ += used_;
  used_ = 0;
  return Error::success();
}

} // namespace warpo::perfetto
