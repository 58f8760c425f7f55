# SPDX-License-Identifier: Apache-2.0
# The unit tests: every case of the programs *Tests counts as a test.

import os

import lit.formats

config.name = "warpo-unit"
# A test that hangs fails, not the whole run. lit needs psutil for that, of its own Python.
limited, problem = lit_config.maxIndividualTestTimeIsSupported
if limited:
    lit_config.maxIndividualTestTime = 300
else:
    lit_config.note(f"no time limit for a test: {problem}")
config.suffixes = []
config.test_source_root = config.test_exec_root = os.path.join(config.build_root, "unittests")
config.test_format = lit.formats.GoogleTest(".", "Tests")
# LLVM's library is not built with ASan: memory that its allocators hand out would stay poisoned.
config.environment["ASAN_OPTIONS"] = "detect_stack_use_after_return=1:allow_user_poisoning=0"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
# Children of a fork record on threads of their own.
config.environment["TSAN_OPTIONS"] = "die_after_fork=0"
