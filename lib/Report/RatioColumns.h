//===- RatioColumns.h - Columns with ratios of two weights ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Columns for tables of a profile with Profile::per, as in ns per fuel. Rows with hardly any weight
// get no ratio: it would be meaningless, but sort them to the top.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_REPORT_RATIOCOLUMNS_H
#define WARPO_LIB_REPORT_RATIOCOLUMNS_H

#include "warpo/Output/Quantities.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Report/Table.h"

namespace warpo {

class RatioColumns {
public:
  /// Everything is empty for a profile without Profile::per.
  explicit RatioColumns(const Profile &profile) : profile_(profile), whole_(profile.total()) {
    if (profile.per)
      inclusive_ = profile.inclusive(*profile.per);
  }

  bool areShown() const { return profile_.per.has_value(); }
  std::string selfName() const { return "self/" + weight().name; }
  std::string totalName() const { return "total/" + weight().name; }
  Column self() const { return {selfName(), CellKind::ratio, profile_.unit().str()}; }
  Column total() const { return {totalName(), CellKind::ratio, profile_.unit().str(), 1}; }

  uint64_t selfOf(NodeIndex node) const {
    return areShown() ? profile_.self(node, *profile_.per) : 0;
  }
  uint64_t inclusiveOf(NodeIndex node) const { return areShown() ? inclusive_[node] : 0; }

  /// Nothing if `part`, an amount of the shown weight, is less than a thousandth of the total.
  Cell cell(uint64_t part, uint64_t other) const {
    if (double(part) < double(whole_) / 1000)
      return Cell();
    std::optional<double> ratio = ratioOf(part, other);
    return ratio ? Cell(*ratio) : Cell();
  }

  void addNote(Table &table) const {
    if (!areShown() || table.rows.empty())
      return;
    std::optional<double> all = ratioOf(whole_, inclusive_[ContextTree::root]);
    table.notes.push_back(weight().name + ": " +
                          (all ? formatRatio(*all, ratioUnit(profile_.unit(), weight().unit))
                               : std::string("nothing")) +
                          " over all; \u221e: " + profile_.weights[profile_.shown].name +
                          " without " + weight().name + "; -: less than 0.1 % of the " +
                          profile_.weights[profile_.shown].name);
  }

private:
  const ProfileWeight &weight() const { return profile_.weights[*profile_.per]; }

  const Profile &profile_;
  uint64_t whole_;
  std::vector<uint64_t> inclusive_;
};

} // namespace warpo

#endif
