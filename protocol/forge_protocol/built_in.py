"""Default settings. Only numbers, so that the engine can import them without the rest of the protocol."""

MAX_FILE_READ_BYTES = 204_800
MAX_SCAN_BYTES = 2_097_152
CACHE_MAX_BYTES = 67_108_864
MAX_TEMPORARY_BYTES = 8_589_934_592
AGENT_MAX_CHARS = 32_000
