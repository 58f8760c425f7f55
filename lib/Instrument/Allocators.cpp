//===- Allocators.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Allocators.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NumberedName.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

// If a name has several forms, the one that fits the function's type is used. Functions that call
// one of these need no form: C++'s operators and strdup call malloc.
static constexpr StringLiteral knownForms[] = {
    // C, as libraries and allocators call them.
    "alloc:malloc(size)->address",
    "alloc:calloc(size,size)->address",
    "realloc:realloc(address,size)->address",
    "realloc:reallocarray(address,size,size)->address",
    "free:free(address)",
    "free:cfree(address)",
    "alloc:aligned_alloc(_,size)->address",
    "alloc:memalign(_,size)->address",
    "alloc:valloc(size)->address",
    "alloc:posix_memalign(out,_,size)->status",
    "alloc:__libc_malloc(size)->address",
    "alloc:__libc_calloc(size,size)->address",
    "realloc:__libc_realloc(address,size)->address",
    "free:__libc_free(address)",
    "alloc:dlmalloc(size)->address",
    "alloc:dlcalloc(size,size)->address",
    "realloc:dlrealloc(address,size)->address",
    "alloc:dlmemalign(_,size)->address",
    "alloc:dlposix_memalign(out,_,size)->status",
    "free:dlfree(address)",
    "alloc:emscripten_builtin_malloc(size)->address",
    "alloc:emscripten_builtin_calloc(size,size)->address",
    "realloc:emscripten_builtin_realloc(address,size)->address",
    "alloc:emscripten_builtin_memalign(_,size)->address",
    "free:emscripten_builtin_free(address)",
    "alloc:emmalloc_malloc(size)->address",
    "alloc:emmalloc_calloc(size,size)->address",
    "realloc:emmalloc_realloc(address,size)->address",
    "alloc:emmalloc_memalign(_,size)->address",
    "alloc:emmalloc_aligned_alloc(_,size)->address",
    "realloc:emmalloc_aligned_realloc(address,_,size)->address",
    "alloc:emmalloc_posix_memalign(out,_,size)->status",
    "free:emmalloc_free(address)",
    "alloc:mi_malloc(size)->address",
    "alloc:mi_calloc(size,size)->address",
    "realloc:mi_realloc(address,size)->address",
    "free:mi_free(address)",
    // Rust; its newer mangling is undone below.
    "alloc:__rust_alloc(size,_)->address",
    "alloc:__rust_alloc_zeroed(size,_)->address",
    "realloc:__rust_realloc(address,_,_,size)->address",
    "free:__rust_dealloc(address,_,_)",
    "alloc:__rdl_alloc(size,_)->address",
    "alloc:__rdl_alloc_zeroed(size,_)->address",
    "realloc:__rdl_realloc(address,_,_,size)->address",
    "free:__rdl_dealloc(address,_,_)",
    "alloc:__wbindgen_malloc(size,_)->address",
    "alloc:__wbindgen_malloc(size)->address",
    "realloc:__wbindgen_realloc(address,_,size,_)->address",
    "realloc:__wbindgen_realloc(address,_,size)->address",
    "free:__wbindgen_free(address,_,_)",
    "free:__wbindgen_free(address,_)",
    "realloc:cabi_realloc(address,_,_,size)->address",
    // AssemblyScript. Objects begin 16 bytes behind the address that the allocator knows.
    "alloc:~lib/rt/itcms/__new(size,_)->address-16",
    "alloc:~lib/rt/tcms/__new(size,_)->address-16",
    "alloc:~lib/rt/stub/__new(size,_)->address-16",
    "alloc:__new(size,_)->address-16",
    "alloc:~lib/rt/tlsf/__alloc(size)->address",
    "realloc:~lib/rt/tlsf/__realloc(address,size)->address",
    "free:~lib/rt/tlsf/__free(address)",
    "alloc:~lib/rt/stub/__alloc(size)->address",
    "realloc:~lib/rt/stub/__realloc(address,size)->address",
    "free:~lib/rt/stub/__free(address)",
    // TinyGo.
    "alloc:runtime.alloc(size,_)->address",
    "alloc:runtime.alloc(size)->address",
    "realloc:runtime.realloc(address,size)->address",
    "free:runtime.free(address)",
};

static Error formError(StringRef text, const Twine &problem) {
  return makeError("'" + text + "': " + problem +
                   "; an allocator is described as 'alloc:my_malloc(size)->address', "
                   "'realloc:my_realloc(address,size)->address' or 'free:my_free(address)'");
}

static Expected<AllocatorParameter> parseParameter(StringRef whole, StringRef role,
                                                   int32_t &offset) {
  using Role = AllocatorParameter::Role;
  if (role == "_")
    return AllocatorParameter{Role::other};
  if (role == "size" || role == "count")
    return AllocatorParameter{Role::size};
  if (role == "out")
    return AllocatorParameter{Role::out};
  if (role.consume_front("address") &&
      (role.empty() || (StringRef("+-").contains(role.front()) &&
                        !role.drop_front(role.front() == '+').getAsInteger(10, offset))))
    return AllocatorParameter{Role::address};
  return formError(whole, "a parameter is 'size', 'count', 'address', 'out' or '_'");
}

Expected<AllocatorForm> AllocatorForm::parse(StringRef text) {
  AllocatorForm form;
  auto [kind, rest] = text.split(':');
  if (kind == "free")
    form.kind = AllocatorKind::frees;
  else if (kind == "realloc")
    form.kind = AllocatorKind::reallocates;
  else if (kind != "alloc")
    return formError(text, "it does not begin with 'alloc:', 'realloc:' or 'free:'");
  auto [call, result] = rest.rsplit("->");
  if (!rest.contains("->"))
    call = rest;
  // Names may have brackets of their own.
  size_t open = call.rfind('(');
  if (!call.ends_with(")") || open == 0 || open == StringRef::npos)
    return formError(text, "it names no function with parameters");
  form.name = call.take_front(open).str();
  StringRef list = call.slice(open + 1, call.size() - 1);
  SmallVector<StringRef, 4> roles;
  if (!list.empty())
    list.split(roles, ',');
  auto count = [&](AllocatorParameter::Role role) {
    return llvm::count(form.parameters, AllocatorParameter{role});
  };
  for (StringRef role : roles) {
    auto parameter = parseParameter(text, role.trim(), form.offset);
    if (!parameter)
      return parameter.takeError();
    form.parameters.push_back(*parameter);
  }
  form.returnsStatus = result == "status";
  bool frees = form.kind == AllocatorKind::frees;
  if (!frees && !form.returnsStatus) {
    auto parameter = parseParameter(text, result, form.offset);
    bool isAddress = parameter && parameter->role == AllocatorParameter::address;
    consumeError(parameter.takeError());
    if (!isAddress)
      return formError(text, "an allocator returns '->address' or '->status'");
  }
  using Role = AllocatorParameter::Role;
  if (frees && !result.empty())
    return formError(text, "a function that frees returns nothing");
  if (!frees && count(Role::size) == 0)
    return formError(text, "no parameter is the requested size");
  if (count(Role::address) != (form.kind == AllocatorKind::allocates ? 0 : 1))
    return formError(
        text,
        "a function that frees or reallocates has one parameter 'address', an allocator none");
  if (count(Role::out) != form.returnsStatus)
    return formError(text, "'out' and '->status' go together");
  if (form.kind == AllocatorKind::reallocates && (form.returnsStatus || form.offset != 0))
    return formError(text,
                     "a function that reallocates takes and returns an address without an offset");
  return form;
}

static bool isInteger(uint8_t type) {
  return type == uint8_t(wasm::ValueType::i32) || type == uint8_t(wasm::ValueType::i64);
}

// An allocator takes no types of several bytes.
bool AllocatorForm::fits(const wasm::FunctionType &type) const {
  if (type.params.count != parameters.size() || type.params.bytes.size() != parameters.size())
    return false;
  for (auto [parameter, valueType] : zip_equal(parameters, type.params.bytes))
    if (parameter.role != AllocatorParameter::other && !isInteger(valueType))
      return false;
  return kind == AllocatorKind::frees ||
         (type.results.count == 1 && type.results.bytes.size() == 1 &&
          isInteger(type.results.bytes.front()));
}

bool Allocator::is64(uint32_t parameter) const {
  return type->params.bytes[parameter] == uint8_t(wasm::ValueType::i64);
}

bool Allocator::returns64() const {
  return type->results.bytes.front() == uint8_t(wasm::ValueType::i64);
}

// Rust's newer mangling puts allocators into a crate `__rustc`, which does not exist in any source.
static StringRef withoutRustCrate(StringRef name) {
  auto [crate, rest] = name.rsplit("::");
  return crate.starts_with("__rustc") && !rest.empty() ? rest : name;
}

static const StringMap<SmallVector<AllocatorForm, 2>> &knownAllocators() {
  static const auto known = [] {
    StringMap<SmallVector<AllocatorForm, 2>> forms;
    for (StringRef text : knownForms) {
      AllocatorForm form = cantFail(AllocatorForm::parse(text));
      form.collects = StringRef(form.name).ends_with("__new");
      forms[form.name].push_back(std::move(form));
    }
    return forms;
  }();
  return known;
}

static std::string textOf(const wasm::TypeList &types) {
  std::string text;
  for (uint8_t type : types.bytes)
    text += (text.empty() ? "" : ", ") + (type == uint8_t(wasm::ValueType::i32) ? std::string("i32")
                                          : type == uint8_t(wasm::ValueType::i64) ? "i64"
                                          : type == uint8_t(wasm::ValueType::f32) ? "f32"
                                          : type == uint8_t(wasm::ValueType::f64) ? "f64"
                                                                                  : "?");
  return text;
}

static std::string textOf(const wasm::FunctionType &type) {
  return "(" + textOf(type.params) + ") -> (" + textOf(type.results) + ")";
}

void Allocators::addKnown(const wasm::Module &module) {
  auto add = [&](uint32_t function, StringRef name) {
    if (module.isImported(function))
      return;
    auto known = knownAllocators().find(name);
    if (known == knownAllocators().end())
      return;
    const wasm::FunctionType &type = module.typeOf(function);
    for (const AllocatorForm &form : known->second)
      if (form.fits(type))
        functions_.try_emplace(function, Allocator{&form, &type});
    if (functions_.count(function) == 0)
      ofOtherType_.try_emplace(function, ("'" + name + "' is of type " + textOf(type)).str());
  };
  for (uint32_t function = module.importedFunctionCount(); function < module.names.functions.size();
       ++function) {
    StringRef name = module.names.functions[function];
    if (name.empty())
      continue;
    add(function, name);
    std::string demangled = demangleName(name);
    add(function, withoutRustCrate(demangled));
  }
  for (const wasm::Export &entry : module.exports)
    if (entry.kind == wasm::ExternalKind::function && entry.index < module.functionCount())
      add(entry.index, entry.name);
  // If AssemblyScript's allocator was not inlined, it alone reports, as everything goes through it.
  bool allocReports = any_of(functions_, [](const auto &entry) {
    return StringRef(entry.second.form->name).ends_with("/__alloc");
  });
  for (auto entry = functions_.begin(); entry != functions_.end();)
    entry =
        allocReports && entry->second.form->collects ? functions_.erase(entry) : std::next(entry);
}

/// Whether `given` stands for a nameless function: `func[12]` for `func[12]#07c9e02a51f3b684`.
static bool isShortFor(StringRef given, StringRef name) {
  auto wanted = NumberedName::parse(given), found = NumberedName::parse(name);
  return wanted && found && wanted->bodyHash == 0 && wanted->index == found->index;
}

Error Allocators::addGiven(const wasm::Module &module, const AllocatorForm &form) {
  wasm::FunctionNames names(module);
  bool isFound = false;
  auto add = [&](uint32_t function) -> Error {
    const wasm::FunctionType &type = module.typeOf(function);
    if (!form.fits(type))
      return fileError(module.fileName,
                       "--allocator: '" + form.name + "' is described with " +
                           countOf(form.parameters.size(), "parameter") +
                           (form.kind == AllocatorKind::frees ? "" : " and a result") +
                           ", integers where they have a role; its type is " + textOf(type));
    functions_[function] = {&form, &type};
    isFound = true;
    return Error::success();
  };
  for (uint32_t i = module.importedFunctionCount(); i < module.functionCount(); ++i) {
    std::string name = names[i];
    if (name == form.name || demangleName(name) == form.name || isShortFor(form.name, name))
      if (Error error = add(i))
        return error;
  }
  for (const wasm::Export &entry : module.exports)
    if (entry.kind == wasm::ExternalKind::function && entry.name == form.name &&
        entry.index < module.functionCount() && !module.isImported(entry.index))
      if (Error error = add(entry.index))
        return error;
  // A module without code allocates nothing. Emscripten's programs create such modules to wrap
  // functions of JavaScript.
  bool hasCode = module.importedFunctionCount() < module.functionCount();
  return isFound || !hasCode
             ? Error::success()
             : fileError(module.fileName,
                         "--allocator: no function with code is called '" + form.name + "'");
}

/// Splits a list of descriptions at commas, but not at those between parameters.
static SmallVector<StringRef, 4> splitForms(StringRef text) {
  SmallVector<StringRef, 4> forms;
  size_t begin = 0;
  for (size_t at = text.find(','); at != StringRef::npos; at = text.find(',', at + 1)) {
    StringRef rest = text.drop_front(at + 1);
    if (!rest.starts_with("alloc:") && !rest.starts_with("realloc:") && !rest.starts_with("free:"))
      continue;
    forms.push_back(text.slice(begin, at));
    begin = at + 1;
  }
  forms.push_back(text.drop_front(begin));
  return forms;
}

namespace {

/// A function that only passes its parameters on to another function with code.
struct Forwarding {
  uint32_t target = 0;
  /// By a tail call: the function is not open while its target runs.
  bool isTail = false;
};

} // namespace

static std::optional<Forwarding> findForwarding(const wasm::Module &module, uint32_t function) {
  using namespace wasm::opcode_names;
  ByteCursor cursor = module.bodies[function - module.importedFunctionCount()].cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  wasm::Instruction instruction;
  for (uint32_t i = 0; i != module.typeOf(function).params.count; ++i)
    if (!walker.next(instruction) || *instruction.begin != "local.get"_op ||
        instruction.index() != i)
      return std::nullopt;
  if (!walker.next(instruction) ||
      (*instruction.begin != "call"_op && *instruction.begin != "return_call"_op))
    return std::nullopt;
  Forwarding found{instruction.index(), *instruction.begin == "return_call"_op};
  if (!walker.next(instruction) || *instruction.begin != "end"_op || !cursor.atEnd() ||
      found.target >= module.functionCount() || module.isImported(found.target))
    return std::nullopt;
  return found;
}

// In optimised modules only exports have allocators' names. The exports may be wrappers, while the
// code calls the wrapped function directly. If the wrapper makes a tail call, only its target
// reports.
void Allocators::addForwarded(const wasm::Module &module) {
  SmallVector<uint32_t> left;
  BitVector known(module.functionCount());
  auto add = [&](uint32_t function) {
    left.push_back(function);
    known.set(function);
  };
  for (const auto &[function, allocator] : functions_)
    add(function);
  while (!left.empty()) {
    uint32_t function = left.pop_back_val();
    const AllocatorForm &form = *functions_.at(function).form;
    auto forwarding = findForwarding(module, function);
    if (!forwarding || form.collects || !form.fits(module.typeOf(forwarding->target)))
      continue;
    uint32_t target = forwarding->target;
    if (!known.test(target)) {
      functions_.try_emplace(target, Allocator{&form, &module.typeOf(target)});
      add(target);
    }
    if (forwarding->isTail && target != function && functions_.count(target))
      functions_.erase(function);
  }
}

Expected<Allocators> Allocators::find(const wasm::Module &module, StringRef given) {
  Allocators found;
  std::vector<AllocatorForm> forms;
  if (!given.empty())
    for (StringRef text : splitForms(given)) {
      auto form = AllocatorForm::parse(text);
      if (!form)
        return makeError("--allocator: " + toString(form.takeError()));
      forms.push_back(std::move(*form));
    }
  found.given_ = std::make_shared<const std::vector<AllocatorForm>>(std::move(forms));
  found.addKnown(module);
  for (const AllocatorForm &form : *found.given_)
    if (Error error = found.addGiven(module, form))
      return error;
  found.addForwarded(module);
  return found;
}

std::vector<std::string> Allocators::ofOtherType() const {
  std::vector<std::string> texts;
  for (const auto &[function, text] : ofOtherType_)
    if (!of(function))
      texts.push_back(text);
  return texts;
}

StringRef Allocators::servingOnlyHost() const {
  bool areAll = all_of(functions_, [](const auto &entry) {
    StringRef name = entry.second.form->name;
    return name.starts_with("__wbindgen_") || name == "cabi_realloc";
  });
  return empty() || !areAll ? StringRef() : StringRef(functions_.begin()->second.form->name);
}

// The target of a tail call runs when its caller is no longer open.
static bool hasTailCalls(const wasm::ByteRange &body) {
  using namespace wasm::opcode_names;
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);)
    if (*instruction.begin == "return_call"_op)
      return true;
  return false;
}

Error Allocators::leaveOutInner(const wasm::Module &module) {
  BitVector others(module.functionCount(), true);
  for (const auto &[function, allocator] : functions_)
    if (!allocator.form->collects &&
        !hasTailCalls(module.bodies[function - module.importedFunctionCount()]))
      others.reset(function);
  auto outermost = wasm::referencedFunctions(module);
  if (!outermost)
    return outermost.takeError();
  auto called = wasm::calledFunctions(module, others);
  if (!called)
    return called.takeError();
  *outermost |= *called;
  if (std::optional<uint32_t> start = wasm::startFunction(module);
      start && *start < outermost->size())
    outermost->set(*start);
  std::erase_if(functions_, [&](const auto &entry) { return !outermost->test(entry.first); });
  return Error::success();
}
