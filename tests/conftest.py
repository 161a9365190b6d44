"""No test sees the settings of the person who runs it."""

import os
import tempfile

os.environ["FORGE_READ_CONFIG"] = os.path.join(tempfile.gettempdir(), "forge-read-tests-have-no-settings", "forge.toml")
