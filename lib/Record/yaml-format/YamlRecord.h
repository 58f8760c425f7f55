//===- YamlRecord.h - Reads and writes records in YAML --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLRECORD_H
#define WARPO_LIB_RECORD_YAML_YAMLRECORD_H

#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// The key of the first line, whose value is the version of the format.
inline constexpr llvm::StringLiteral yamlVersionKey = "warpo-record";

/// By RecordedSwitch::Kind.
inline constexpr llvm::StringLiteral switchKindNames[] = {"starts", "resumes", "returns"};

/// Reads everything before the entries.
llvm::Expected<std::unique_ptr<RecordReader>> openYamlRecord(std::unique_ptr<InputStream> input);

std::unique_ptr<RecordWriter> createYamlWriter(llvm::raw_ostream &os,
                                               const RecordWriterContext &context);

} // namespace warpo

#endif
