//===- Mapping.cpp - Reads mapping files ----------------------------------===//
//
// Two forms, defined in docs/mapping.md: text, for all modules of a record, and JSON, which names a
// text for each module.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/JsonInput.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warpo {

/// Fills a FunctionTable from files.
class MappingReader {
public:
  MappingReader(FunctionTable &table, DamageReport &damage) : table_(table), damage_(damage) {}

  Error read(StringRef path);

private:
  void readText(StringRef file, StringRef text, FunctionIds &ids);
  Error readJson(StringRef file, StringRef text);
  Error readJsonModule(StringRef file, const json::Value &value, size_t index);
  Expected<StringRef> keep(StringRef path);

  FunctionTable &table_;
  DamageReport &damage_;
};

Expected<StringRef> MappingReader::keep(StringRef path) {
  auto buffer = readWholeInput(path);
  if (!buffer)
    return buffer.takeError();
  table_.buffers_.push_back(std::move(*buffer));
  return table_.buffers_.back()->getBuffer();
}

Error MappingReader::read(StringRef path) {
  auto text = keep(path);
  if (!text)
    return text.takeError();
  StringRef start = text->ltrim();
  if (start.starts_with("[") || start.starts_with("{"))
    return readJson(path, *text);
  readText(path, *text, table_.addModule(0, ""));
  return Error::success();
}

void MappingReader::readText(StringRef file, StringRef text, FunctionIds &ids) {
  uint64_t lineNumber = 0;
  auto place = [&] { return (Twine(file) + ":" + Twine(lineNumber)).str(); };
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++lineNumber;
    line.consume_back("\r");
    if (line.empty())
      continue;
    auto [number, name] = line.split(' ');
    int32_t id;
    if (number.getAsInteger(10, id) || id <= 0) {
      damage_.add("line that does not start with the id of a function",
                  "lines that do not start with the id of a function", 1, place);
      continue;
    }
    if (name.empty()) {
      damage_.add("id without a name", "ids without a name", 1, place);
      name = table_.saver_.save("function " + Twine(id));
    }
    if (!ids.add(id, table_.addFunction(name, ids.module_, id, /*known=*/true)))
      damage_.add("id that has been given before (the last name holds)",
                  "ids that have been given before (the last name holds)", 1, place);
  }
}

Error MappingReader::readJson(StringRef file, StringRef text) {
  auto document = parseJson(text, file);
  if (!document)
    return document.takeError();
  const json::Array *modules = document->getAsArray();
  if (!modules)
    return fileError(file, "a JSON mapping is an array of objects with moduleId and mappingFile");
  table_.sharedIds_ = false;
  for (size_t i = 0; i < modules->size(); ++i)
    if (Error error = readJsonModule(file, (*modules)[i], i))
      return error;
  return Error::success();
}

static std::optional<uint64_t> parseModuleId(const json::Value &value) {
  if (auto number = value.getAsUINT64())
    return *number;
  uint64_t id;
  auto text = value.getAsString();
  if (!text)
    return std::nullopt;
  StringRef digits = *text;
  unsigned radix = digits.consume_front("0x") || digits.consume_front("0X") ? 16 : 10;
  if (digits.getAsInteger(radix, id))
    return std::nullopt;
  return id;
}

Error MappingReader::readJsonModule(StringRef file, const json::Value &value, size_t index) {
  auto problem = [&](const Twine &message) {
    return fileError(file, "[" + Twine(index) + "]: " + message);
  };
  const json::Object *object = value.getAsObject();
  if (!object)
    return problem("is not an object with moduleId and mappingFile");
  for (const auto &member : *object)
    if (StringRef key = member.first;
        key != "moduleId" && key != "mappingFile" && key != "moduleName")
      return problem("has an unknown key '" + key + "' (known: mappingFile, moduleId, moduleName)");
  const json::Value *idValue = object->get("moduleId");
  if (!idValue)
    return problem("has no moduleId");
  std::optional<uint64_t> moduleId = parseModuleId(*idValue);
  if (!moduleId)
    return problem("moduleId is neither an unsigned 64-bit integer nor a string of one (decimal, "
                   "or hexadecimal with 0x)");
  std::optional<StringRef> mappingFile = object->getString("mappingFile");
  if (!mappingFile || mappingFile->empty())
    return problem(object->get("mappingFile") ? "mappingFile is not a path" : "has no mappingFile");
  std::optional<StringRef> name = object->getString("moduleName");
  if (object->get("moduleName") && !name)
    return problem("moduleName is not a string");
  if (table_.moduleOfId_.count(*moduleId))
    return problem("moduleId " + Twine(*moduleId) + " has been given before");

  SmallString<128> path(*mappingFile);
  if (!sys::path::is_absolute(path)) {
    path = sys::path::parent_path(file);
    sys::path::append(path, *mappingFile);
  }
  auto text = keep(path);
  if (!text)
    return text.takeError();
  readText(path, *text, table_.addModule(*moduleId, name.value_or("")));
  return Error::success();
}

Expected<std::unique_ptr<FunctionTable>> FunctionTable::load(StringRef path, DamageReport &damage) {
  auto table = std::make_unique<FunctionTable>();
  table->hasMapping_ = table->hasMappingFile_ = true;
  if (Error error = MappingReader(*table, damage).read(path))
    return error;
  return table;
}

} // namespace warpo
