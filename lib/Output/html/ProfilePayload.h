//===- ProfilePayload.h - A profile inside a report's page ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Texts: `{"title", "weights": [{"name", "unit", "total"}], "functions", "speedscopeDepth"}`.
// Columns have an element for each context, in the order of a ContextList: `function`; `rise`, by
// how many levels it is above a callee of the previous context; `self0`, `self1`, … for the
// weights.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_HTML_PROFILEPAYLOAD_H
#define WARPO_OUTPUT_HTML_PROFILEPAYLOAD_H

#include "PagePayload.h"

namespace warpo {

struct ProfilePayload {
  explicit ProfilePayload(const ContextList &list, const SourceUrl &sourceUrl = {});

  /// Notes for the user on what the page cannot show.
  std::vector<std::string> notes;
  PagePayload payload;
};

} // namespace warpo

#endif
