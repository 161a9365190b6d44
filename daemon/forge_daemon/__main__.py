"""`python -m forge_daemon` is `forge-read`."""

import sys

from forge_daemon.cli import main

sys.exit(main())
