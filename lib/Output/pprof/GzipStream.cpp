//===- GzipStream.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GzipStream.h"
#include "warpo/Support/Errors.h"
#include <zlib.h>

using namespace llvm;
using namespace warpo;

// A 32 KB window, with a gzip header.
static constexpr int gzipWindowBits = 15 + 16;
static constexpr int memoryLevel = 8;

struct GzipStream::State {
  z_stream stream{};
  uint8_t buffer[64 * 1024];
};

GzipStream::GzipStream(raw_ostream &os) : os_(os), state_(std::make_unique<State>()) {
  if (deflateInit2(&state_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindowBits, memoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    state_ = nullptr;
}

GzipStream::~GzipStream() {
  if (state_)
    deflateEnd(&state_->stream);
}

Error GzipStream::deflate(int flush) {
  z_stream &stream = state_->stream;
  do {
    stream.next_out = state_->buffer;
    stream.avail_out = sizeof state_->buffer;
    if (::deflate(&stream, flush) == Z_STREAM_ERROR)
      return makeError("zlib cannot compress the output");
    os_.write(reinterpret_cast<const char *>(state_->buffer),
              sizeof state_->buffer - stream.avail_out);
  } while (stream.avail_out == 0);
  return Error::success();
}

Error GzipStream::write(StringRef bytes) {
  if (!state_)
    return makeError("no memory to compress the output");
  // zlib's lengths have 32 bits.
  constexpr size_t atOnce = size_t(1) << 30;
  while (!bytes.empty()) {
    StringRef part = bytes.take_front(atOnce);
    bytes = bytes.drop_front(part.size());
    state_->stream.next_in = reinterpret_cast<uint8_t *>(const_cast<char *>(part.data()));
    state_->stream.avail_in = uInt(part.size());
    if (Error error = deflate(Z_NO_FLUSH))
      return error;
  }
  return Error::success();
}

Error GzipStream::finish() {
  if (!state_)
    return makeError("no memory to compress the output");
  state_->stream.next_in = nullptr;
  state_->stream.avail_in = 0;
  return deflate(Z_FINISH);
}
