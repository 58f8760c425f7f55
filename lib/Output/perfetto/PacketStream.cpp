//===- PacketStream.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PacketStream.h"
#include "RarePackets.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include <cstring>

using namespace llvm;

namespace warpo::perfetto {

void PacketStream::append(StringRef packets) {
  uint8_t *at = reserve(packets.size());
  std::memcpy(at, packets.data(), packets.size());
  advanceTo(at + packets.size());
}

// The size of the first packet: a tag of one byte, a varint and as many bytes.
static size_t sizeOfFirst(ArrayRef<uint8_t> packets) {
  unsigned lengthBytes;
  uint64_t length = decodeULEB128(&packets[1], &lengthBytes, packets.end());
  return 1 + lengthBytes + size_t(length);
}

// As many whole packets as a compressed packet may hold: less than 512 KiB. A single packet that is
// larger is taken alone.
static size_t sizeOfShare(ArrayRef<uint8_t> packets) {
  constexpr size_t limit = 512 * 1024;
  if (packets.size() < limit)
    return packets.size();
  size_t size = sizeOfFirst(packets);
  while (size < packets.size()) {
    size_t next = size + sizeOfFirst(packets.drop_front(size));
    if (next >= limit)
      break;
    size = next;
  }
  return size;
}

void PacketStream::writeCompressed(ArrayRef<uint8_t> packets) {
  SmallVector<uint8_t, 0> deflated;
  compression::zlib::compress(packets, deflated, compression::zlib::DefaultCompression);
  os_ << compressedPacketHeader(deflated.size()) << toStringRef(deflated);
}

Error PacketStream::flush() {
  if (used_ == 0)
    return Error::success();
  ArrayRef<uint8_t> packets(buffer_.data(), used_);
  if (compress_) {
    while (!packets.empty()) {
      ArrayRef<uint8_t> share = packets.take_front(sizeOfShare(packets));
      writeCompressed(share);
      packets = packets.drop_front(share.size());
    }
  } else {
    os_ << toStringRef(packets);
  }
  flushed_ += used_;
  used_ = 0;
  return Error::success();
}

} // namespace warpo::perfetto
