//===- Gunzip.h - Inputs that are compressed as a whole -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_GUNZIP_H
#define WARPO_SUPPORT_GUNZIP_H

#include "warpo/Support/InputStream.h"

namespace warpo {

/// Opens a file, or standard input for `-`; of a gzip file what is in it, in memory, under the name
/// of the file. More than 512 MiB, which a small file may hold, are an error.
llvm::Expected<std::unique_ptr<InputStream>> openGunzipped(llvm::StringRef path);

} // namespace warpo

#endif
