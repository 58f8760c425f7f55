# The unit tests: every case of the programs *Tests counts as a test.

import os

import lit.formats

config.name = "warpo-unit"
config.suffixes = []
config.test_source_root = config.test_exec_root = os.path.join(config.build_root, "unittests")
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.environment["ASAN_OPTIONS"] = "detect_stack_use_after_return=1"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
