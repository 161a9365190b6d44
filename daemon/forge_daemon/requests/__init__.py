"""`forge/readFile` and the other requests, without a wire: parameters in, result out. They may block."""
