//===- ParquetWriter.h - Tables as Apache Parquet files -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes what readers of columnar files agree on: version 1 data pages compressed with zstd, 64-bit
// signed integers, UTF-8 texts and lists of texts, with statistics for each row group. It knows
// nothing of profiles; whoever has rows collects a group of them in columns and hands it over.
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

/// The texts of a file, each once. Columns hold their numbers.
class TextPool {
public:
  /// Stands for no text, in columns that may have none.
  static constexpr uint32_t none = UINT32_MAX;

  /// `text` is copied; it has to be UTF-8.
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
    /// Each value as it is.
    plain,
    /// Differences: for values that rise steadily.
    delta,
    /// Numbers into a table of the values, where that is smaller than the values. Texts have it
    /// always.
    dictionary,
  };

  std::string name;
  Type type = Type::integer;
  Encoding encoding = Encoding::plain;
  /// Whether values may be missing. Lists may be empty instead.
  bool isOptional = false;
};

/// The values of a column in a row group; valid during the call that takes them.
struct ParquetValues {
  /// Of a column of integers.
  llvm::ArrayRef<int64_t> integers = {};
  /// Of an optional column of integers, whether each is there: 0 or 1.
  llvm::ArrayRef<uint8_t> present = {};
  /// Of a column of texts, numbers of the pool; of lists, all elements of all rows.
  llvm::ArrayRef<uint32_t> texts = {};
  /// Of a column of lists, the number of elements of each row.
  llvm::ArrayRef<uint32_t> lengths = {};
};

/// Order of calls: writeGroup() any number of times, finish() once. Holds what the end of the file
/// says of each group, some hundred bytes a column, beside the memory for one column of a group.
class ParquetWriter {
public:
  /// `pool` and `os` outlive this. Names of columns differ.
  ParquetWriter(std::vector<ParquetColumn> columns, const TextPool &pool, llvm::raw_ostream &os);
  ~ParquetWriter();

  /// Writes `rows` rows, at least one; `values` has an element for each column. Fails where a page
  /// would be larger than the format allows (2 GB).
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
  /// What the end of the file says of the groups so far.
  llvm::SmallVector<uint8_t, 0> groupsText_;
  /// Room that is used again: pages before and after compression, numbers of dictionaries.
  llvm::SmallVector<uint8_t, 0> dictionary_;
  llvm::SmallVector<uint8_t, 0> page_;
  llvm::SmallVector<uint8_t, 0> compressed_;
  std::vector<uint32_t> indices_;
  std::vector<int64_t> integers_;
  /// Of each text, its number in the dictionary at hand.
  std::vector<uint32_t> numberOfText_;
};

} // namespace warpo

#endif
