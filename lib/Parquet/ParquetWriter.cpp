//===- ParquetWriter.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file   := "PAR1" group* footer size-of-footer:4 "PAR1"
//   group  := chunk for each column
//   chunk  := (header dictionary-page)? header data-page
//   footer := schema, and of each chunk its place, size, encodings and statistics
//
// Headers and the footer are structs of Thrift, in the numbers of parquet.thrift. A chunk has one
// data page: groups are small enough for that.
//
//===----------------------------------------------------------------------===//

#include "warpo/Parquet/ParquetWriter.h"
#include "CompactThrift.h"
#include "PageCompressor.h"
#include "PageEncoding.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;

using Type = ParquetColumn::Type;

static constexpr StringLiteral magic = "PAR1";
/// Longer texts are not used as statistics: they would make the end of the file large.
static constexpr size_t maxStatistic = 64;

namespace {

enum Encoding : int32_t { plain = 0, rle = 3, deltaBinaryPacked = 5, rleDictionary = 8 };
enum Codec : int32_t { zstd = 6 };
enum PhysicalType : int32_t { int64 = 2, byteArray = 6 };
enum Repetition : int32_t { required = 0, optional = 1, repeated = 2 };
enum ConvertedType : int32_t { utf8 = 0, list = 3, signed64 = 18 };

} // namespace

uint32_t TextPool::idOf(StringRef text) {
  auto [entry, isNew] = ids_.try_emplace(text, uint32_t(texts_.size()));
  if (isNew)
    texts_.push_back(entry->first());
  return entry->second;
}

/// The statistics of a column in a group.
struct ParquetWriter::Chunk {
  Encoding encoding = plain;
  uint64_t begin = 0;
  uint64_t dataPage = 0;
  bool hasDictionary = false;
  /// In the dictionary.
  size_t distinct = 0;
  /// With the headers of pages.
  uint64_t uncompressedSize = 0;
  uint64_t compressedSize = 0;
  /// Nulls too.
  size_t values = 0;
  size_t nulls = 0;
  /// As PLAIN writes them, texts without their size.
  std::string least = {};
  std::string largest = {};
  bool hasRange = false;
};

ParquetWriter::ParquetWriter(std::vector<ParquetColumn> columns, const TextPool &pool,
                             raw_ostream &os)
    : columns_(std::move(columns)), pool_(pool), os_(os),
      compressor_(std::make_unique<PageCompressor>()) {
  write(arrayRefFromStringRef(magic));
}

ParquetWriter::~ParquetWriter() = default;

void ParquetWriter::write(ArrayRef<uint8_t> bytes) {
  os_ << toStringRef(bytes);
  position_ += bytes.size();
}

Error ParquetWriter::writePage(bool isDictionary, size_t values, Chunk &chunk) {
  SmallVectorImpl<uint8_t> &page = isDictionary ? dictionary_ : page_;
  compressor_->compress(page, compressed_);
  if (std::max(page.size(), compressed_.size()) > size_t(INT32_MAX) || values > size_t(INT32_MAX))
    return makeError("a page of " + Twine(page.size()) + " bytes is more than Parquet takes");
  SmallVector<uint8_t, 64> header;
  CompactThrift thrift(header);
  thrift.integer(1, isDictionary ? 2 : 0);
  thrift.integer(2, int32_t(page.size()));
  thrift.integer(3, int32_t(compressed_.size()));
  thrift.beginStruct(isDictionary ? 7 : 5);
  thrift.integer(1, int32_t(values));
  thrift.integer(2, isDictionary ? plain : chunk.encoding);
  if (!isDictionary) {
    thrift.integer(3, rle);
    thrift.integer(4, rle);
  }
  thrift.end();
  thrift.end();
  write(header);
  write(compressed_);
  chunk.uncompressedSize += header.size() + page.size();
  chunk.compressedSize += header.size() + compressed_.size();
  return Error::success();
}

void ParquetWriter::encodeIntegers(const ParquetColumn &column, const ParquetValues &values,
                                   Chunk &chunk) {
  ArrayRef<int64_t> integers = values.integers;
  chunk.values = integers.size();
  if (column.isOptional) {
    encodeLevels(integers.size(), [&](size_t i) { return values.present[i] != 0; }, page_);
    integers_.clear();
    for (size_t i = 0; i < integers.size(); ++i)
      if (values.present[i])
        integers_.push_back(integers[i]);
    chunk.nulls = integers.size() - integers_.size();
    integers = integers_;
  }
  std::pair<int64_t, int64_t> range;
  if (!integers.empty()) {
    // Not by minmax_element(), which compilers do not vectorise.
    int64_t least = INT64_MAX;
    int64_t largest = INT64_MIN;
    for (int64_t value : integers) {
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    range = {least, largest};
    chunk.hasRange = true;
    for (auto [text, value] : {std::pair(&chunk.least, least), {&chunk.largest, largest}}) {
      text->resize(8);
      support::endian::write64le(text->data(), uint64_t(value));
    }
  }
  if (column.encoding == ParquetColumn::Encoding::delta) {
    chunk.encoding = deltaBinaryPacked;
    encodeDelta(integers, page_);
    return;
  }
  std::vector<int64_t> dictionary;
  if (column.encoding == ParquetColumn::Encoding::dictionary)
    dictionary = makeDictionary(integers, range.first, range.second, indices_);
  if (dictionary.empty()) {
    encodePlain(integers, page_);
    return;
  }
  chunk.encoding = rleDictionary;
  chunk.hasDictionary = true;
  chunk.distinct = dictionary.size();
  encodePlain(dictionary, dictionary_);
  encodeIndices(indices_, dictionary.size(), page_);
}

void ParquetWriter::encodeTexts(const ParquetColumn &column, const ParquetValues &values,
                                Chunk &chunk) {
  ArrayRef<uint32_t> texts = values.texts;
  chunk.values = texts.size();
  if (column.type == Type::textList) {
    // An empty list has a level of its own and no element.
    std::vector<uint8_t> firsts;
    std::vector<uint8_t> elements;
    for (uint32_t length : values.lengths) {
      for (uint32_t i = 0; i < std::max(length, 1u); ++i) {
        firsts.push_back(i > 0);
        elements.push_back(length > 0);
      }
    }
    chunk.values = firsts.size();
    chunk.nulls = chunk.values - texts.size();
    encodeLevels(chunk.values, [&](size_t i) { return firsts[i] != 0; }, page_);
    encodeLevels(chunk.values, [&](size_t i) { return elements[i] != 0; }, page_);
  } else if (column.isOptional) {
    encodeLevels(texts.size(), [&](size_t i) { return texts[i] != TextPool::none; }, page_);
  }
  numberOfText_.resize(pool_.size(), TextPool::none);
  std::vector<uint32_t> dictionary;
  indices_.resize(texts.size());
  size_t count = 0;
  for (uint32_t text : texts) {
    if (text == TextPool::none)
      continue;
    uint32_t &number = numberOfText_[text];
    if (number == TextPool::none) {
      number = uint32_t(dictionary.size());
      dictionary.push_back(text);
      encodePlain(pool_[text], dictionary_);
    }
    indices_[count++] = number;
  }
  indices_.resize(count);
  chunk.nulls += texts.size() - count;
  for (uint32_t text : dictionary)
    numberOfText_[text] = TextPool::none;
  chunk.encoding = rleDictionary;
  chunk.hasDictionary = true;
  chunk.distinct = dictionary.size();
  encodeIndices(indices_, dictionary.size(), page_);
  if (dictionary.empty())
    return;
  auto [least, largest] =
      std::minmax_element(dictionary.begin(), dictionary.end(),
                          [&](uint32_t a, uint32_t b) { return pool_[a] < pool_[b]; });
  chunk.least = pool_[*least].str();
  chunk.largest = pool_[*largest].str();
  chunk.hasRange = std::max(chunk.least.size(), chunk.largest.size()) <= maxStatistic;
}

Error ParquetWriter::writeColumn(const ParquetColumn &column, size_t rows,
                                 const ParquetValues &values, Chunk &chunk) {
  dictionary_.clear();
  page_.clear();
  if (column.type == Type::integer)
    encodeIntegers(column, values, chunk);
  else
    encodeTexts(column, values, chunk);
  chunk.begin = position_;
  if (chunk.hasDictionary)
    if (Error error = writePage(/*isDictionary=*/true, chunk.distinct, chunk))
      return error;
  chunk.dataPage = position_;
  return writePage(/*isDictionary=*/false, chunk.values, chunk);
}

void ParquetWriter::describeChunk(const ParquetColumn &column, const Chunk &chunk) {
  CompactThrift thrift(groupsText_);
  thrift.wide(2, 0);
  thrift.beginStruct(3);
  thrift.integer(1, column.type == Type::integer ? int64 : byteArray);
  // Including those of levels and of the dictionary.
  if (chunk.hasDictionary)
    thrift.integers(2, {plain, rle, rleDictionary});
  else
    thrift.integers(2, {rle, chunk.encoding});
  if (column.type == Type::textList)
    thrift.texts(3, {column.name, "list", "element"});
  else
    thrift.texts(3, StringRef(column.name));
  thrift.integer(4, zstd);
  thrift.wide(5, int64_t(chunk.values));
  thrift.wide(6, int64_t(chunk.uncompressedSize));
  thrift.wide(7, int64_t(chunk.compressedSize));
  thrift.wide(9, int64_t(chunk.dataPage));
  if (chunk.hasDictionary)
    thrift.wide(11, int64_t(chunk.begin));
  thrift.beginStruct(12);
  thrift.wide(3, int64_t(chunk.nulls));
  if (chunk.hasRange) {
    thrift.text(5, chunk.largest);
    thrift.text(6, chunk.least);
  }
  thrift.end();
  thrift.end();
  thrift.end();
}

Error ParquetWriter::writeGroup(size_t rows, ArrayRef<ParquetValues> values) {
  uint64_t begin = position_;
  uint64_t uncompressedSize = 0;
  CompactThrift group(groupsText_);
  group.beginStructs(1, columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    Chunk chunk;
    if (Error error = writeColumn(columns_[i], rows, values[i], chunk))
      return error;
    describeChunk(columns_[i], chunk);
    uncompressedSize += chunk.uncompressedSize;
  }
  group.wide(2, int64_t(uncompressedSize));
  group.wide(3, int64_t(rows));
  group.wide(5, int64_t(begin));
  group.wide(6, int64_t(position_ - begin));
  group.end();
  rows_ += rows;
  ++groups_;
  return Error::success();
}

static void describeColumn(const ParquetColumn &column, CompactThrift &thrift) {
  Repetition repetition = column.isOptional ? optional : required;
  auto textElement = [&](StringRef name) {
    thrift.beginElement();
    thrift.integer(1, byteArray);
    thrift.integer(3, repetition);
    thrift.text(4, name);
    thrift.integer(6, utf8);
    thrift.beginStruct(10);
    thrift.emptyStruct(1);
    thrift.end();
    thrift.end();
  };
  auto group = [&](StringRef name, Repetition groupRepetition, bool isList) {
    thrift.beginElement();
    thrift.integer(3, groupRepetition);
    thrift.text(4, name);
    thrift.integer(5, 1);
    if (isList) {
      thrift.integer(6, list);
      thrift.beginStruct(10);
      thrift.emptyStruct(3);
      thrift.end();
    }
    thrift.end();
  };
  switch (column.type) {
  case Type::integer:
    thrift.beginElement();
    thrift.integer(1, int64);
    thrift.integer(3, repetition);
    thrift.text(4, column.name);
    thrift.integer(6, signed64);
    thrift.beginStruct(10);
    thrift.beginStruct(10);
    thrift.byte(1, 64);
    thrift.flag(2, true);
    thrift.end();
    thrift.end();
    thrift.end();
    return;
  case Type::text:
    return textElement(column.name);
  case Type::textList:
    group(column.name, required, /*isList=*/true);
    group("list", repeated, /*isList=*/false);
    return textElement("element");
  }
}

void ParquetWriter::finish() {
  SmallVector<uint8_t, 0> footer;
  CompactThrift thrift(footer);
  thrift.integer(1, 1);
  size_t elements = 1;
  for (const ParquetColumn &column : columns_)
    elements += column.type == Type::textList ? 3 : 1;
  thrift.beginStructs(2, elements);
  thrift.beginElement();
  thrift.text(4, "schema");
  thrift.integer(5, int32_t(columns_.size()));
  thrift.end();
  for (const ParquetColumn &column : columns_)
    describeColumn(column, thrift);
  thrift.wide(3, int64_t(rows_));
  thrift.beginStructs(4, groups_);
  thrift.append(groupsText_);
  thrift.text(6, "warpo");
  // Least and largest values are by the order of their types: texts by their bytes.
  thrift.beginStructs(7, columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i) {
    thrift.beginElement();
    thrift.emptyStruct(1);
    thrift.end();
  }
  thrift.end();
  uint8_t size[4];
  support::endian::write32le(size, uint32_t(footer.size()));
  write(footer);
  write(size);
  write(arrayRefFromStringRef(magic));
}
