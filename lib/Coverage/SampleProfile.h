//===- SampleProfile.h - What LLVM's compilers know as a sample profile ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Executions by line and discriminator, nested by what was inlined. Lines count from that of the
// function's declaration. Names are those of the linker, as in the compiler's intermediate code.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_COVERAGE_SAMPLEPROFILE_H
#define WARPO_LIB_COVERAGE_SAMPLEPROFILE_H

#include "warpo/Coverage/CoverageFormat.h"

namespace warpo {

/// Of a function, or of a call that was inlined.
struct CodeSamples {
  /// Lines behind the declaration, and the base discriminator.
  using Location = std::pair<uint32_t, uint32_t>;
  struct Body {
    uint64_t count = 0;
    std::map<std::string, uint64_t> callees = {};
  };

  uint64_t head = 0;
  std::map<Location, Body> body = {};
  std::map<Location, std::map<std::string, CodeSamples>> inlined = {};

  /// Of all bodies.
  uint64_t total() const;
};

struct SampleProfile {
  std::map<std::string, CodeSamples> functions;
  /// What it lacks, for users.
  std::vector<std::string> notes;
};

SampleProfile makeSampleProfile(const Coverage &coverage);

} // namespace warpo

#endif
