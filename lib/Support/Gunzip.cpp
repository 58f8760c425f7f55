//===- Gunzip.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Gunzip.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/ScopeExit.h"
#include <zlib.h>

using namespace llvm;
using namespace warpo;

static constexpr size_t maxSize = size_t(1) << 29;
static constexpr size_t blockSize = size_t(1) << 16;
// A 32 KB window, with a gzip header.
static constexpr int gzipWindowBits = 15 + 16;

/// The concatenated contents of all members of the file.
static Expected<std::vector<uint8_t>> inflateAll(InputStream &input) {
  z_stream stream{};
  if (inflateInit2(&stream, gzipWindowBits) != Z_OK)
    return fileError(input.name(), "no memory to uncompress it");
  auto end = make_scope_exit([&] { inflateEnd(&stream); });
  std::vector<uint8_t> result;
  int state = Z_OK;
  while (true) {
    auto window = input.window(1);
    if (!window)
      return window.takeError();
    if (window->empty())
      break;
    if (state == Z_STREAM_END && inflateReset(&stream) != Z_OK)
      return fileError(input.name(), "no memory to uncompress it");
    ArrayRef<uint8_t> taken = window->take_front(blockSize);
    stream.next_in = const_cast<uint8_t *>(taken.data());
    stream.avail_in = uInt(taken.size());
    do {
      size_t size = result.size();
      result.resize(size + blockSize);
      stream.next_out = result.data() + size;
      stream.avail_out = uInt(blockSize);
      state = inflate(&stream, Z_NO_FLUSH);
      result.resize(result.size() - stream.avail_out);
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
        return offsetError(input.name(), input.offset() + (taken.size() - stream.avail_in),
                           "the gzip file is damaged");
      if (result.size() > maxSize)
        return fileError(input.name(), "more than " + Twine(maxSize) +
                                           " bytes when uncompressed: uncompress it first");
    } while (state == Z_OK && stream.avail_out == 0);
    input.consume(taken.size() - stream.avail_in);
  }
  if (state != Z_STREAM_END)
    return offsetError(input.name(), input.offset(), "the gzip file ends too early");
  return result;
}

Expected<std::unique_ptr<InputStream>> warpo::openGunzipped(StringRef path) {
  auto input = InputStream::open(path);
  if (!input)
    return input.takeError();
  auto start = (*input)->window(2);
  if (!start)
    return start.takeError();
  if (start->size() < 2 || (*start)[0] != 0x1f || (*start)[1] != 0x8b)
    return input;
  auto bytes = inflateAll(**input);
  if (!bytes)
    return bytes.takeError();
  return InputStream::fromBytes(*bytes, (*input)->name());
}
