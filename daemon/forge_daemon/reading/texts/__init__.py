"""From bytes to UTF-8 text: decompress, convert to UTF-8, strip escape sequences. Nothing above knows which."""
