"""Cut a window: from a source and a resolved request to the text, and to the facts about what was cut."""
