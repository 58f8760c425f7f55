# SPDX-License-Identifier: Apache-2.0
# Of two records that were sampled a thousand and a hundred times a second, with room for a busy machine.
import subprocess
import sys
often, rarely = (int(subprocess.run(["warpo-record-dump", "--summary", path], capture_output=True, text=True, check=True)
                     .stdout.split("samples: ")[1].split()[0]) for path in sys.argv[1:])
assert 2 < often / rarely < 50, (often, rarely)
