//===- SampleProfile.h - LLVM's sample profiles ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Executions by line and discriminator, nested by inlined calls. Lines are relative to the
// function's declaration. Names are linkage names, as in the compiler's intermediate
// representation.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_COVERAGE_SAMPLEPROFILE_H
#define WARPO_LIB_COVERAGE_SAMPLEPROFILE_H

#include "warpo/Coverage/CoverageFormat.h"

namespace warpo {

/// The samples of a function or of an inlined call.
struct CodeSamples {
  /// Lines after the declaration, and the base discriminator.
  using Location = std::pair<uint32_t, uint32_t>;
  struct Body {
    uint64_t count = 0;
    std::map<std::string, uint64_t> callees = {};
  };

  uint64_t head = 0;
  std::map<Location, Body> body = {};
  std::map<Location, std::map<std::string, CodeSamples>> inlined = {};

  /// The sum of all bodies.
  uint64_t total() const;
};

struct SampleProfile {
  std::map<std::string, CodeSamples> functions;
  /// Notes for the user on what is missing.
  std::vector<std::string> notes;
};

SampleProfile makeSampleProfile(const Coverage &coverage);

} // namespace warpo

#endif
