//===- warpo-record-dump.cpp - Shows, checks and converts a record --------===//

#include "warpo/Support/Errors.h"
#include "warpo/Tooling/DumpTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsKinds=*/false);

static cl::list<std::string> recordPaths(cl::Positional, cl::desc("<record>..."),
                                         cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("Where to write (default: standard output)"),
                                   cl::value_desc("file"), cl::init("-"), cl::cat(toolOptions()));
static cl::opt<std::string> formatName("format", cl::desc("Format to write (default: text)"),
                                       cl::value_desc("name"), cl::init("text"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listFormats("list-formats", cl::desc("List the formats of records"),
                                 cl::cat(toolOptions()));
static cl::opt<bool> summary("summary", cl::desc("Say in a few lines what the record holds"),
                             cl::cat(toolOptions()));
static cl::opt<bool> verify("verify", cl::desc("Write every breach of the rules, with its place"),
                            cl::cat(toolOptions()));
static cl::list<std::string> modules("module",
                                     cl::desc("Only entries of this module, by id or name (may be "
                                              "repeated)"),
                                     cl::value_desc("module"), cl::cat(toolOptions()));
static cl::list<std::string> functions("function",
                                       cl::desc("Only entries of functions with such a name (may "
                                                "be repeated)"),
                                       cl::value_desc("glob"), cl::cat(toolOptions()));

static cl::opt<bool> compress("compress", cl::desc("Compress the dump, for formats that can"),
                              cl::cat(toolOptions()));

static cl::opt<bool> recover("recover",
                             cl::desc("Complete the record of a killed process by its file "
                                      "<record>.live, and write nothing"),
                             cl::cat(toolOptions()));

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<RecordFormat>();
  if (auto listed = readingOptions.list())
    return std::move(*listed);
  if (recordPaths.empty())
    return makeError("no record is given (a file, or - for standard input)");
  if (recover && recordPaths.size() > 1)
    return makeError("--recover completes one record");
  if (recover)
    return recoverRecord(recordPaths.front());
  if (summary && verify)
    return makeError("--summary and --verify do not go together");
  DumpRequest request{.records = recordPaths,
                      .output = output,
                      .format = formatName,
                      .modules = modules,
                      .functions = functions,
                      .compress = compress};
  if (summary)
    return summarizeRecord(request, readingOptions);
  if (verify)
    return verifyRecord(request, readingOptions);
  return dumpRecord(request, readingOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Shows a record of WebAssembly trace points, checks it, or converts "
                               "it to another format"},
                  run);
}
