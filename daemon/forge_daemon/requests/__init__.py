"""`forge/readFile` and its kin without a wire: parameters in, result out. Blocking: callers decide where."""
