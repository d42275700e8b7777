"""The scenarios, in the order in which they run. Each is a function of the
stage; it returns what was seen, or raises `Failed`."""
