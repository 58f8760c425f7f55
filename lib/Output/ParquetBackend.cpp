//===- ParquetBackend.cpp - A profile as a table for databases ------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   begin_ns, end_ns, path, depth, stack, function, module, file, line,
//   time_self_ns, time_total_ns, calls_self, calls_total, …, and a column for each label
//
// One row for each calling context, in the order and with the weights of `csv`. `stack` has the
// names from the outermost call to the function, `path` is a number for that stack. `begin_ns` and
// `end_ns` are the time of recording, or of the window that the row belongs to. Unknown values are
// null.
//
//===----------------------------------------------------------------------===//

#include "parquet/PathId.h"
#include "parquet/TableColumns.h"
#include "profile/ContextList.h"
#include "profile/ReaderLimits.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// A group of rows is written once it has this many rows, or its stacks this many frames.
static constexpr size_t groupRows = 128 << 10;
static constexpr size_t groupFrames = 1 << 20;

namespace {

class ProfileTable {
public:
  using Column = TableColumns::Column;

  /// Begins a table of profiles that have the weights of `first`.
  static Expected<std::unique_ptr<ProfileTable>>
  begin(const ContextList &first, ArrayRef<OutputLabel> labels, raw_ostream &os) {
    std::unique_ptr<ProfileTable> table(new ProfileTable(first));
    if (Error error = table->table_.begin(labels, os))
      return error;
    return table;
  }

  Error add(const ContextList &list, std::optional<TimeWindow> window) {
    names_.clear();
    for (const Frame &frame : list.frames())
      names_.push_back(nameOf(frame));
    for (size_t i = 0; i < list.contexts().size(); ++i) {
      addRow(list, i, window);
      frames_ += stackTexts_.size();
      if (++rows_ == groupRows || frames_ >= groupFrames)
        if (Error error = writeGroup())
          return error;
    }
    return Error::success();
  }

  Error finish() {
    if (Error error = writeGroup())
      return error;
    table_.finish();
    return Error::success();
  }

private:
  explicit ProfileTable(const ContextList &first) {
    using Type = ParquetColumn::Type;
    using Encoding = ParquetColumn::Encoding;
    for (StringRef name : {"begin_ns", "end_ns"})
      windows_.push_back(&table_.addColumn(
          {.name = name.str(), .encoding = Encoding::dictionary, .isOptional = true}));
    path_ = &table_.addColumn({.name = "path"});
    depth_ = &table_.addColumn({.name = "depth", .encoding = Encoding::dictionary});
    stack_ = &table_.addColumn({.name = "stack", .type = Type::textList});
    function_ = &table_.addColumn({.name = "function", .type = Type::text});
    module_ = &table_.addColumn({.name = "module", .type = Type::text, .isOptional = true});
    file_ = &table_.addColumn({.name = "file", .type = Type::text, .isOptional = true});
    line_ =
        &table_.addColumn({.name = "line", .encoding = Encoding::dictionary, .isOptional = true});
    for (const WeightColumn &weight : first.weights()) {
      Column &self = table_.addColumn({.name = weight.columnName("self")});
      Column &total = table_.addColumn({.name = weight.columnName("total")});
      weights_.push_back({&self, &total});
    }
  }

  Error writeGroup() {
    size_t rows = std::exchange(rows_, 0);
    frames_ = 0;
    return table_.writeGroup(rows);
  }

  struct FrameName {
    uint32_t name;
    uint32_t module;
    uint32_t file;
    uint64_t step;
  };
  FrameName nameOf(const Frame &frame) {
    TextPool &texts = table_.texts();
    auto known = [&](StringRef text) { return text.empty() ? TextPool::none : texts.idOf(text); };
    return {texts.idOf(frame.name), known(frame.module), known(frame.file), pathStep(frame.name)};
  }

  void addRow(const ContextList &list, size_t index, std::optional<TimeWindow> window) {
    const ListedContext &context = list.contexts()[index];
    const FrameName &name = names_[context.frame];
    stackTexts_.resize(context.depth - 1);
    paths_.resize(context.depth - 1);
    paths_.push_back(callPath(paths_.empty() ? hostPath : paths_.back(), name.step));
    stackTexts_.push_back(name.name);
    for (size_t i = 0; i < windows_.size(); ++i)
      if (window)
        windows_[i]->add(toSigned(i == 0 ? window->begin : window->end));
      else
        windows_[i]->addNothing();
    path_->add(paths_.back());
    depth_->add(context.depth);
    stack_->addList(stackTexts_);
    function_->addText(name.name);
    module_->addText(name.module);
    file_->addText(name.file);
    if (uint32_t line = list.frames()[context.frame].line)
      line_->add(line);
    else
      line_->addNothing();
    for (size_t i = 0; i < weights_.size(); ++i) {
      weights_[i].first->add(toSigned(list.weights()[i].self[index]));
      weights_[i].second->add(toSigned(list.weights()[i].inclusive[index]));
    }
  }

  TableColumns table_;
  /// Size of the current group.
  size_t rows_ = 0;
  size_t frames_ = 0;
  std::vector<Column *> windows_;
  Column *path_;
  Column *depth_;
  Column *stack_;
  Column *function_;
  Column *module_;
  Column *file_;
  Column *line_;
  /// The columns of self and of total weight.
  std::vector<std::pair<Column *, Column *>> weights_;
  /// By frame of the current list.
  std::vector<FrameName> names_;
  /// The current stack, outermost call first.
  std::vector<uint32_t> stackTexts_;
  std::vector<PathId> paths_;
};

class ParquetBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".parquet"; }
  bool isBinary() const override { return true; }
  bool showsOrigin() const override { return true; }
  bool formsFolders() const override { return true; }

  bool takesWindows() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    std::unique_ptr<ProfileTable> table;
    if (Error error = add(profile, origin().window, table, os))
      return error;
    return table->finish();
  }

  Error writeWindows(NextWindow next, raw_ostream &os) override {
    std::unique_ptr<ProfileTable> table;
    while (true) {
      auto window = next();
      if (!window)
        return window.takeError();
      if (!*window)
        return table->finish();
      if (Error error = add((*window)->first, (*window)->second, table, os))
        return error;
    }
  }

private:
  /// The first profile begins the table.
  Error add(const Profile &profile, std::optional<TimeWindow> window,
            std::unique_ptr<ProfileTable> &table, raw_ostream &os) {
    ContextList list(profile);
    if (notes().empty())
      addNotes(notesOfLargeTotals(
          list, uint64_t(INT64_MAX),
          "more than signed 64 bits hold: larger values are written as 9,223,372,036,854,775,807"));
    if (!table) {
      auto begun = ProfileTable::begin(list, origin().labels, os);
      if (!begun)
        return begun.takeError();
      table = std::move(*begun);
    }
    return table->add(list, window);
  }
};

warpo::Registry<ProfileBackend>::Add<ParquetBackend>
    registration("parquet", "a table of calling contexts for DuckDB, ClickHouse, Spark and others");

} // namespace
