"""No test sees the settings or the umask of the person who runs it, and none is judged by the time it takes."""

import os
import tempfile

from hypothesis import settings

os.environ["FORGE_READ_CONFIG"] = os.path.join(tempfile.gettempdir(), "forge-read-tests-have-no-settings", "forge.toml")
os.umask(0o022)
settings.register_profile("tests", deadline=None)
settings.load_profile("tests")
