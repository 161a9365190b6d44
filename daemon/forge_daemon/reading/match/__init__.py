"""Which lines match: literals and RE2 expressions, over blocks of whole UTF-8 lines."""
