//===- ParquetBackend.cpp - A profile as a table for databases ------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   begin_ns, end_ns, path, depth, stack, function, module, file, line,
//   time_self_ns, time_total_ns, calls_self, calls_total, …, and a column for each label
//
// One row for each calling context, in the order and with the weights of `csv`. `stack` has the
// names from the outermost call to the function, `path` is a number for it; `begin_ns` and `end_ns`
// say when the profile was recorded. What is not known is null.
//
//===----------------------------------------------------------------------===//

#include "parquet/PathId.h"
#include "parquet/TableColumns.h"
#include "profile/ContextList.h"
#include "profile/ReaderLimits.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// Of a group of rows, and of the stacks in it.
static constexpr size_t groupRows = 128 << 10;
static constexpr size_t groupFrames = 1 << 20;

namespace {

class ProfileTable {
public:
  using Column = TableColumns::Column;

  ProfileTable(const ContextList &list, const OutputOrigin &origin) : list_(list), origin_(origin) {
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
    for (const WeightColumn &weight : list.weights()) {
      Column &self = table_.addColumn({.name = weight.columnName("self")});
      Column &total = table_.addColumn({.name = weight.columnName("total")});
      weights_.push_back({&self, &total});
    }
  }

  Error write(raw_ostream &os) {
    for (const OutputLabel &label : origin_.labels)
      if (!table_.addLabel(label.key, label.value))
        return makeError("--label=" + label.key + "=…: the table has a column of this name");
    table_.begin(os);
    for (const Frame &frame : list_.frames())
      names_.push_back(nameOf(frame));
    size_t rows = 0;
    size_t frames = 0;
    for (size_t i = 0; i < list_.contexts().size(); ++i) {
      addRow(i);
      frames += stackTexts_.size();
      if (++rows < groupRows && frames < groupFrames)
        continue;
      if (Error error = table_.writeGroup(rows))
        return error;
      rows = frames = 0;
    }
    if (Error error = table_.writeGroup(rows))
      return error;
    table_.finish();
    return Error::success();
  }

private:
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

  void addRow(size_t index) {
    const ListedContext &context = list_.contexts()[index];
    const FrameName &name = names_[context.frame];
    stackTexts_.resize(context.depth - 1);
    paths_.resize(context.depth - 1);
    paths_.push_back(callPath(paths_.empty() ? hostPath : paths_.back(), name.step));
    stackTexts_.push_back(name.name);
    for (size_t i = 0; i < windows_.size(); ++i)
      if (origin_.window)
        windows_[i]->add(toSigned(i == 0 ? origin_.window->begin : origin_.window->end));
      else
        windows_[i]->addNothing();
    path_->add(paths_.back());
    depth_->add(context.depth);
    stack_->addList(stackTexts_);
    function_->addText(name.name);
    module_->addText(name.module);
    file_->addText(name.file);
    if (uint32_t line = list_.frames()[context.frame].line)
      line_->add(line);
    else
      line_->addNothing();
    for (size_t i = 0; i < weights_.size(); ++i) {
      weights_[i].first->add(toSigned(list_.weights()[i].self[index]));
      weights_[i].second->add(toSigned(list_.weights()[i].inclusive[index]));
    }
  }

  const ContextList &list_;
  const OutputOrigin &origin_;
  TableColumns table_;
  std::vector<Column *> windows_;
  Column *path_;
  Column *depth_;
  Column *stack_;
  Column *function_;
  Column *module_;
  Column *file_;
  Column *line_;
  /// Own and total ones.
  std::vector<std::pair<Column *, Column *>> weights_;
  /// Of the frames of the list.
  std::vector<FrameName> names_;
  /// Of the context at hand and its callers.
  std::vector<uint32_t> stackTexts_;
  std::vector<PathId> paths_;
};

class ParquetBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".parquet"; }
  bool isBinary() const override { return true; }
  bool showsOrigin() const override { return true; }
  bool formsFolders() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    addNotes(notesOfLargeTotals(list, uint64_t(INT64_MAX),
                                "more than 64 bits with a sign hold: what is larger became that"));
    return ProfileTable(list, origin()).write(os);
  }
};

warpo::Registry<ProfileBackend>::Add<ParquetBackend>
    registration("parquet", "a table of calling contexts for DuckDB, ClickHouse, Spark and others");

} // namespace
