"""Makes every Python process take the branches of macOS, which cannot be run here.

Without `O_PATH`; what `O_SEARCH` does there, `O_PATH` does here. `make test` has it on PYTHONPATH.
"""

import os
import sys
import sysconfig

if sys.platform == "linux":
    sysconfig.get_config_vars()  # read from a file that is named after the platform
    os.O_SEARCH = os.O_PATH  # type: ignore[attr-defined]
    del os.O_PATH
    sys.platform = "darwin"
