//===- OrderList.h - An order of a module's functions, as a file ----------===//
// SPDX-License-Identifier: Apache-2.0
//
//   list     := line*
//   line     := "" | comment | "#! module " hash | function
//   function := name | "func[" index "]" (" " name)?
//   comment  := "#" text                text does not begin with `!`
//   hash     := 64 hexadecimal digits: BLAKE3 of the module that the order is of
//
// Spaces around a line are ignored. A function is given by its name in mappings, or by its index
// (imports counted). An index is needed if several functions have the name or if the name cannot
// stand on a line of its own: with line breaks, or with spaces or `#` in front. A name behind an
// index must be that function's name, as it is shown. Functions that are not in the list follow in
// their old order.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_ORDER_ORDERLIST_H
#define WARPO_ORDER_ORDERLIST_H

#include "warpo/Order/OrderModule.h"
#include "warpo/Support/InputStream.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>

namespace warpo {

/// A list as read, before its functions are resolved.
struct OrderList {
  struct Line {
    /// Counted from 1.
    uint64_t number = 0;
    std::optional<uint32_t> index;
    /// May be empty if there is an index.
    std::string name;
  };

  /// For messages.
  std::string fileName;
  /// The hash of the order's module, if the list has one.
  std::optional<std::array<uint8_t, 32>> moduleHash;
  std::vector<Line> lines;
};

/// Fails if a line is too long, if a `#!` line has another form, or if there are two hashes.
llvm::Expected<OrderList> readOrderList(std::unique_ptr<InputStream> input);
/// `path` may be `-`.
llvm::Expected<OrderList> readOrderList(llvm::StringRef path);

/// Why a line was left out.
enum class OrderProblemKind : uint8_t {
  /// No function has that name or index, or the function of that index has another name.
  unknown,
  /// Several functions have the name.
  ambiguous,
  /// An earlier line has the function.
  repeated,
  /// The function is imported: it has no code.
  imported,
};

struct OrderProblem {
  OrderProblemKind kind = OrderProblemKind::unknown;
  /// Includes the place: `app.order:12: no function is called 'main'`.
  std::string message;
};

struct ResolvedOrder {
  /// Functions with code, each once.
  std::vector<uint32_t> functions;
  /// In the order of the lines.
  std::vector<OrderProblem> problems;
};

/// Finds the functions of a list. Fails if the list belongs to another module by its hash.
llvm::Expected<ResolvedOrder> resolveOrder(const OrderList &list, const OrderModule &module);

/// The line for a function, without a line break: its name if that identifies the function, else
/// its index and its name as it is shown.
std::string orderLine(const OrderModule &module, uint32_t function);

/// Writes a list that resolves to `functions`, with the module's hash.
void writeOrderList(llvm::raw_ostream &os, const OrderModule &module,
                    llvm::ArrayRef<uint32_t> functions);

} // namespace warpo

#endif
