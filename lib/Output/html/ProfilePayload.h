//===- ProfilePayload.h - A profile inside a report's page ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Texts: `{"title", "weights": [{"name", "unit", "total"}], "functions", "speedscopeDepth"}`.
// Columns, an element for each context: `function`; `rise`, how much less deep it is than a callee
// of the context before it; `self0`, `self1`, … for the weights. Contexts come as in a ContextList.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_HTML_PROFILEPAYLOAD_H
#define WARPO_OUTPUT_HTML_PROFILEPAYLOAD_H

#include "PagePayload.h"

namespace warpo {

struct ProfilePayload {
  explicit ProfilePayload(const ContextList &list, const SourceUrl &sourceUrl = {});

  /// What the page cannot show, for the tool to tell.
  std::vector<std::string> notes;
  PagePayload payload;
};

} // namespace warpo

#endif
