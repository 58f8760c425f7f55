//===- Gunzip.h - Inputs compressed as a whole ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_GUNZIP_H
#define WARPO_SUPPORT_GUNZIP_H

#include "warpo/Support/InputStream.h"

namespace warpo {

/// Opens a file, or standard input for `-`. A gzip file is decompressed into memory and keeps its
/// name. Fails above 512 MiB of contents, which even a small file may have.
llvm::Expected<std::unique_ptr<InputStream>> openGunzipped(llvm::StringRef path);

} // namespace warpo

#endif
