//===- ParquetWriter.h - Tables as Apache Parquet files -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes the features that all readers of Parquet support: version 1 data pages compressed with
// zstd, 64-bit signed integers, UTF-8 texts and lists of texts, with statistics for each row group.
// Independent of profiles: the caller passes groups of rows, as columns.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PARQUET_PARQUETWRITER_H
#define WARPO_PARQUET_PARQUETWRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpo {

class PageCompressor;

/// The unique texts of a file. Columns contain their ids.
class TextPool {
public:
  /// No text, in optional columns.
  static constexpr uint32_t none = UINT32_MAX;

  /// Copies `text`, which must be UTF-8.
  uint32_t idOf(llvm::StringRef text);
  llvm::StringRef operator[](uint32_t id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }

private:
  llvm::StringMap<uint32_t> ids_;
  std::vector<llvm::StringRef> texts_;
};

struct ParquetColumn {
  enum class Type : uint8_t { integer, text, textList };
  enum class Encoding : uint8_t {
    /// Plain values.
    plain,
    /// Differences: for steadily increasing values.
    delta,
    /// Indices into a table of the values, if that is smaller than plain values. Always used for
    /// texts.
    dictionary,
  };

  std::string name;
  Type type = Type::integer;
  Encoding encoding = Encoding::plain;
  /// Whether values may be missing. Not for lists, which may be empty.
  bool isOptional = false;
};

/// The values of a column in a row group; only referenced during the call.
struct ParquetValues {
  /// For a column of integers.
  llvm::ArrayRef<int64_t> integers = {};
  /// For an optional column of integers: 1 if the value is present, otherwise 0.
  llvm::ArrayRef<uint8_t> present = {};
  /// For a column of texts, ids in the pool; for lists, all elements of all rows.
  llvm::ArrayRef<uint32_t> texts = {};
  /// For a column of lists, the number of elements of each row.
  llvm::ArrayRef<uint32_t> lengths = {};
};

/// Call writeGroup() any number of times, then finish() once. Keeps metadata of all groups for the
/// end of the file, some hundred bytes per column and group, and memory for one column of a group.
class ParquetWriter {
public:
  /// `pool` and `os` must outlive this. Names of columns must differ.
  ParquetWriter(std::vector<ParquetColumn> columns, const TextPool &pool, llvm::raw_ostream &os);
  ~ParquetWriter();

  /// Writes `rows` rows, at least one; `values` has an element for each column. Fails if a page
  /// exceeds the format's limit of 2 GB.
  llvm::Error writeGroup(size_t rows, llvm::ArrayRef<ParquetValues> values);
  void finish();

private:
  struct Chunk;
  llvm::Error writeColumn(const ParquetColumn &column, size_t rows, const ParquetValues &values,
                          Chunk &chunk);
  void encodeIntegers(const ParquetColumn &column, const ParquetValues &values, Chunk &chunk);
  void encodeTexts(const ParquetColumn &column, const ParquetValues &values, Chunk &chunk);
  llvm::Error writePage(bool isDictionary, size_t values, Chunk &chunk);
  void describeChunk(const ParquetColumn &column, const Chunk &chunk);
  void write(llvm::ArrayRef<uint8_t> bytes);

  std::vector<ParquetColumn> columns_;
  const TextPool &pool_;
  llvm::raw_ostream &os_;
  std::unique_ptr<PageCompressor> compressor_;
  uint64_t position_ = 0;
  uint64_t rows_ = 0;
  uint32_t groups_ = 0;
  /// Encoded metadata of the groups so far.
  llvm::SmallVector<uint8_t, 0> groupsText_;
  /// Reused buffers: pages before and after compression, indices of dictionaries.
  llvm::SmallVector<uint8_t, 0> dictionary_;
  llvm::SmallVector<uint8_t, 0> page_;
  llvm::SmallVector<uint8_t, 0> compressed_;
  std::vector<uint32_t> indices_;
  std::vector<int64_t> integers_;
  /// By text, its index in the current dictionary.
  std::vector<uint32_t> numberOfText_;
};

} // namespace warpo

#endif
