"""Settings as they are without any settings file. Only numbers: the engine takes them without the rest."""

MAX_FILE_READ_BYTES = 204_800
MAX_SCAN_BYTES = 2_097_152
CACHE_MAX_BYTES = 67_108_864
