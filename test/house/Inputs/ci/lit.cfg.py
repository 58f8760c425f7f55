import os

import lit.formats

config.name = "own"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.environment["PATH"] = os.environ["PATH"]
