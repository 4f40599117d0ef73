"""The fuzzer: damaged and forged inputs for every reader and verb. Each must get an answer or one of porf's own errors,
within limits of time and memory. `make fuzz SECONDS=600` runs it for long; docs/design/guarantees.md says more."""
