//===- BarTable.cpp - Shares as bars, for a first look --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Always one line for each row: a share, the first weight, a bar and the row's name, with its
// module if there are several. Other formats show the other columns. A table without shares is
// written as text.
//
//===----------------------------------------------------------------------===//

#include "warpo/Report/TableFormat.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace warpo;

// The longest bar, in terminal columns.
static constexpr unsigned barWidth = 24;

namespace {

class BarTable {
public:
  BarTable(const Table &table, size_t share, size_t weight)
      : table_(table), share_(share), weight_(weight), module_(table.findColumn("module")) {
    for (const Row &row : table.rows)
      longest_ = std::max(longest_, shareIn(row));
  }

  void write(const TableStyle &style, raw_ostream &os) const {
    if (!table_.title.empty())
      os << table_.title << sumOfAll() << '\n';
    if (table_.rows.empty())
      os << "nothing to report\n";
    unsigned shares = widthOf(share_);
    unsigned weights = widthOf(weight_);
    unsigned used = shares + weights + barWidth + 6;
    unsigned room = std::max(style.width > used ? style.width - used : 0, minNameWidth);
    size_t empty = 0;
    for (const Row &row : table_.rows) {
      const uint64_t *weight = std::get_if<uint64_t>(&row.cells[weight_]);
      if (weight && *weight == 0) {
        ++empty;
        continue;
      }
      writeRight(row, share_, shares, os);
      writeRight(row, weight_, weights, os);
      writeBar(row, style, os);
      os << fitName(nameIn(row), room) << '\n';
    }
    if (empty > 0)
      os << '(' << countOf(empty, "row") << " without weight not shown)\n";
    for (const std::string &note : table_.notes)
      os << '(' << note << ")\n";
  }

private:
  static constexpr unsigned minNameWidth = 16;

  std::string nameIn(const Row &row) const {
    std::string name = formatCell(table_.columns.back(), row.cells.back());
    const auto *module = module_ ? std::get_if<std::string>(&row.cells[*module_]) : nullptr;
    return module ? name + " (" + *module + ")" : name;
  }

  double shareIn(const Row &row) const {
    const double *share = std::get_if<double>(&row.cells[share_]);
    return share ? std::clamp(*share, 0.0, 1.0) : 0;
  }

  /// The table may have only some of the rows.
  std::string sumOfAll() const {
    for (const Row &row : table_.rows) {
      const uint64_t *part = std::get_if<uint64_t>(&row.cells[weight_]);
      double share = shareIn(row);
      if (!part || *part == 0 || share == 0)
        continue;
      const Column &column = table_.columns[weight_];
      auto sum = uint64_t(std::min(std::round(double(*part) / share), 0x1p63));
      return ": " + formatCell(column, sum) +
             (column.unit.empty() || column.unit == "ns" ? "" : " " + column.unit) + " in all";
    }
    return "";
  }

  unsigned widthOf(size_t column) const {
    unsigned width = 0;
    for (const Row &row : table_.rows)
      width = std::max(width, textWidth(formatCell(table_.columns[column], row.cells[column])));
    return width;
  }

  void writeRight(const Row &row, size_t column, unsigned width, raw_ostream &os) const {
    std::string text = formatCell(table_.columns[column], row.cells[column]);
    os.indent(width - textWidth(text)) << text << "  ";
  }

  void writeBar(const Row &row, const TableStyle &style, raw_ostream &os) const {
    double part = longest_ > 0 ? shareIn(row) / longest_ : 0;
    auto halves = unsigned(std::lround(part * 2 * barWidth));
    std::string bar;
    for (unsigned i = 0; i < halves / 2; ++i)
      bar += "█";
    if (halves % 2)
      bar += "▌";
    os << (style.colour ? "\x1b[33m" : "") << bar << (style.colour ? "\x1b[0m" : "");
    os.indent(barWidth - (halves + 1) / 2 + 2);
  }

  const Table &table_;
  size_t share_;
  size_t weight_;
  std::optional<size_t> module_;
  double longest_ = 0;
};

class BarTableFormat : public TableFormat {
public:
  void write(const Table &table, const TableStyle &style, raw_ostream &os) override {
    auto first = [&](CellKind kind) {
      return size_t(find_if(table.columns, [&](auto &column) { return column.kind == kind; }) -
                    table.columns.begin());
    };
    size_t share = first(CellKind::share);
    size_t weight = first(CellKind::weight);
    size_t columns = table.columns.size();
    if (share < columns && weight < columns && !table.isTree)
      return BarTable(table, share, weight).write(style, os);
    auto text = warpo::Registry<TableFormat>::create("text");
    if (!text)
      return consumeError(text.takeError());
    (*text)->write(table, style, os);
  }

  bool showsSingleCalls() const override { return false; }
};

warpo::Registry<TableFormat>::Add<BarTableFormat> registration("bars",
                                                               "for a first look at a terminal");

} // namespace
