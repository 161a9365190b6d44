"""What it costs a model to read: tokens of calls and answers, ours beside other tools', in one run."""
