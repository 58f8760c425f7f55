# SPDX-License-Identifier: Apache-2.0
# Tests of one's own module with lit and FileCheck; warpo's tools and LLVM's are found through PATH.
import os

import lit.formats

config.name = "my-module"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.environment["PATH"] = os.environ["PATH"]
config.test_exec_root = os.path.join(lit_config.params.get("out", "."), "my-module")
