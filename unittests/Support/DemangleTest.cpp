//===- DemangleTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

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
      // Promoted by link-time optimisation; the linker knows no hash.
      {"_ZN4core3fmt5write17h0123456789abcdefE.llvm.6903140268064570245", "core::fmt::write"},
      {"core::fmt::write::h0123456789abcdef (.llvm.6903140268064570245)", "core::fmt::write"},
      {"_RNvCs1234_7mycrate3foo.llvm.6903140268064570245", "mycrate::foo"},
      {"_RNvCs1234_7mycrate3foo.llvm.0A9F@1", "mycrate::foo"},
      {"_ZN3foo3barEv.llvm.12 [host]", "foo::bar() [host]"},
      {"_ZN3foo3barEv.cold", "foo::bar() (.cold)"},
      {"plain.llvm.12", "plain.llvm.12"},
      {".llvm.12", ".llvm.12"},
      {"_Zbroken.llvm.12", "_Zbroken.llvm.12"},
      // Identifiers without characters: closures.
      {"_RNCNCNvC1a1f00B5_", "a::f::{closure#0}::{closure#0}"},
      {"core::ops::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef", "core::ops::{{closure}}"},
      // As wasm-bindgen leaves it.
      {"<a_b[5f3c9038abe6489d]::C<d[975c4aeed0fd64b]::E> as "
       "f[c273bb0c9ed652f9]::G>::h::{closure#0}",
       "<a_b::C<d::E> as f::G>::h::{closure#0}"},
      // No hash: not of Rust.
      {"a[5F3C9038ABE6489D]::b", "a[5F3C9038ABE6489D]::b"},
      {"a[5f3c]::b", "a[5f3c]::b"},
      {"[5f3c9038abe6489d]::b[x]::c[5f3c9038abe6489d]",
       "[5f3c9038abe6489d]::b[x]::c[5f3c9038abe6489d]"},
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

TEST(Demangle, BriefNames) {
  const std::pair<StringRef, StringRef> cases[] = {
      {"plain", "plain"},
      {"_ZN3foo3barEv", "foo::bar()"},
      // Return types of instances of templates.
      {"_Z3fooIiEvT_", "foo<int>(int)"},
      {"void foo<int>(int) [host]", "foo<int>(int) [host]"},
      {"_ZlsIcEvT_S0_", "operator<<<char>(char, char)"},
      {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
       "std::operator<<<std::char_traits<char>>(std::basic_ostream<char, "
       "std::char_traits<char>>&, char const*)"},
      {"std::ostream& std::operator<< <char>(char)", "std::operator<< <char>(char)"},
      {"unsigned long const& foo<char const*>(char const*) const",
       "foo<char const*>(char const*) const"},
      {"_ZN12_GLOBAL__N_11gIiEEvT_", "(anonymous namespace)::g<int>(int)"},
      {"_ZN1A1fIiEEvT_.cold", "A::f<int>(int) (.cold)"},
      {"_Zli2_xIiEvT_", "operator\"\" _x<int>(int)"},
      {"std::enable_if<(4 > 3), int>::type foo<4>(int)", "foo<4>(int)"},
      {"decltype((fp.begin)()) A::operator()<B<int>>(B<int>&&) const",
       "A::operator()<B<int>>(B<int>&&) const"},
      // Closures: the function around says what it returns, too.
      {"_ZZ3fooIiEvT_ENKUlS0_E_clES0_", "foo<int>(int)::'lambda'(int)::operator()(int) const"},
      {"auto A::foo(int) const::'lambda'(auto)::operator()<int>(int) const",
       "A::foo(int) const::'lambda'(auto)::operator()<int>(int) const"},
      // ABI tags.
      {"_ZN3barB5cxx11Ev", "bar()"},
      {"void foo[abi:ne180100]<int>(std::list[abi:cxx11]<int>)", "foo<int>(std::list<int>)"},
      {"[abi:", "[abi:"},
      {"a[abi:b c", "a[abi:b c"},
      // What only looks like a return type.
      {"_ZN1AcvT_IiEEv", "A::operator int<int>()"},
      {"A::operator std::vector<unsigned long>()", "A::operator std::vector<unsigned long>()"},
      {"A::operator unsigned B<int>()", "A::operator unsigned B<int>()"},
      {"operator new(unsigned long)", "operator new(unsigned long)"},
      {"virtual thunk to A<int>::operator B<int>()", "virtual thunk to A<int>::operator B<int>()"},
      {"guard variable for foo<int>(int)::x", "guard variable for foo<int>(int)::x"},
      // Of which it is not certain where the type ends.
      {"_Z3fooIiEPFvT_Ei", "void (*foo<int>(int))(int)"},
      {"void foo<int>(int) requires A<int>", "void foo<int>(int) requires A<int>"},
      {"void foo<int>(", "void foo<int>("},
      {"void foo<int>>(int)", "void foo<int>>(int)"},
      {"bool operator<<int>(int, int)", "bool operator<<int>(int, int)"},
      // Other languages.
      {"get size(int)", "get size(int)"},
      {"main.Map[go.shape.int](x)", "main.Map[go.shape.int](x)"},
      {"generic specialization <Swift.Int> of Swift.Array.append(A) -> ()",
       "generic specialization <Swift.Int> of Swift.Array.append(A) -> ()"},
      {"<Test + 'static as foo::Bar<Test>>::bar", "<Test + 'static as foo::Bar<Test>>::bar"},
      {"closure #1 in foo<A>(x:)", "closure #1 in foo<A>(x:)"},
      {"new List<int>(int)", "new List<int>(int)"},
      // Of another function, each.
      {"invocation function for block in void bar<int>(int)",
       "invocation function for block in void bar<int>(int)"},
      {"thread-local initialization routine for void baz<int>(int)::x",
       "thread-local initialization routine for void baz<int>(int)::x"},
      {"guard variable for void foo<int>(int)::x", "guard variable for void foo<int>(int)::x"},
  };
  for (const auto &[mangled, name] : cases) {
    EXPECT_EQ(briefName(mangled), name);
    EXPECT_EQ(briefName(name), name);
  }
}

// A symbol of LLVM, whose size a sum over all elements for each element overestimates.
TEST(Demangle, PacksOfLongTypes) {
  EXPECT_TRUE(
      StringRef(demangleName(
                    "_ZSt11make_uniqueIN4llvm15FunctionSummaryEJNS0_18GlobalValueSummary7GVFlagsEi"
                    "NS1_6FFlagsEiRSt6vectorINS0_9ValueInfoESaIS6_EENS0_8ArrayRefISt4pairIS6_NS0"
                    "_10CalleeInfoEEEES5_ImSaImEES5_INS1_7VFuncIdESaISH_EESJ_S5_INS1_10ConstVCal"
                    "lESaISK_EESM_NSA_INS1_11ParamAccessEEENSA_INS0_12CallsiteInfoEEENSA_INS0_9A"
                    "llocInfoEEEEENSt8__detail9_MakeUniqIT_E15__single_objectEDpOT0_"))
          .starts_with("std::__detail::_MakeUniq<llvm::FunctionSummary>::__single_object "
                       "std::make_unique<llvm::FunctionSummary, "));
}

/// A number in Rust's base 62.
static std::string base62(size_t value) {
  if (value == 0)
    return "_";
  std::string digits;
  for (--value; digits.empty() || value > 0; value /= 62)
    digits.insert(digits.begin(),
                  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 62]);
  return digits + "_";
}

/// The number of a substitution of C++, from 0 on.
static std::string substitution(size_t number) {
  if (number == 0)
    return "S_";
  constexpr char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return std::string("S") + digits[number - 1] + "_";
}

// Each parameter is a pair of two of the one before.
TEST(Demangle, LeavesNamesThatWouldBeGigabytes) {
  std::string itanium = "_Z1fSt4pairIiiE", rust = "INvC1a1fTxxE";
  size_t last = rust.find('T');
  for (size_t i = 1; i <= 30; ++i) {
    bool isShort = i < 5;
    itanium += "S_I" + substitution(i) + substitution(i) + "E";
    size_t next = rust.size();
    rust += "TB" + base62(last) + "B" + base62(last) + "E";
    last = next;
    std::string name = "_R" + rust + "E";
    if (isShort) {
      EXPECT_TRUE(StringRef(demangleName(itanium)).starts_with("f(std::pair<int, int>, "));
      EXPECT_TRUE(StringRef(demangleName(name)).starts_with("a::f::<(i64, i64), "));
    }
    EXPECT_LT(demangleName(itanium).size(), 20000u);
    EXPECT_LT(demangleName(name).size(), 20000u);
  }
  EXPECT_EQ(demangleName(itanium), itanium);
  EXPECT_EQ(demangleName("_R" + rust + "E"), "_R" + rust + "E");
}
