//===- DemangleTest.cpp ---------------------------------------------------===//

#include "warpo/Support/Demangle.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

TEST(Demangle, NamesAsInTheSource) {
  const std::pair<StringRef, StringRef> cases[] = {
      {"plain", "plain"},
      {"", ""},
      {"_Z", "_Z"},
      {"_Z3fooi", "foo(int)"},
      {"_ZN3foo3barEv", "foo::bar()"},
      {"_ZNSt6vectorIiSaIiEE9push_backEOi",
       "std::vector<int, std::allocator<int>>::push_back(int&&)"},
      {"_Zbroken", "_Zbroken"},
      {"_RNvC6_123foo3bar", "123foo::bar"},
      {"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
      {"_Rbroken", "_Rbroken"},
      {"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
      {"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
       "3bar17h930b740aa94f1d3aE",
       "<Test + 'static as foo::Bar<Test>>::bar"},
      // As wasm-ld leaves it.
      {"core::fmt::Formatter::pad::h0123456789abcdef", "core::fmt::Formatter::pad"},
      {"alloc::vec::Vec$LT$T$C$A$GT$::push::h0123456789abcdef", "alloc::vec::Vec<T,A>::push"},
      {"core::ops::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "core::ops::{{closure}}"},
      // No hash: not of Rust.
      {"a$LT$b::h0123456789ABCDEF", "a$LT$b::h0123456789ABCDEF"},
      {"a::h123", "a::h123"},
      {"a$u7$::h0123456789abcdef", "a$u7$"},
  };
  for (const auto &[mangled, name] : cases)
    EXPECT_EQ(demangleName(mangled), name);
  // LLVM's demangler recurses with each P.
  std::string deep = "_Z1f" + std::string(1000000, 'P') + "i";
  EXPECT_EQ(demangleName(deep), deep);
}
