"""The suffixes of files that are programs in C and C++."""

C_FILES = (".c", ".i")
CPP_FILES = (".cc", ".cpp", ".cxx", ".c++", ".C", ".ii")
COMPILED = (".bc", ".ll")
SUFFIXES = (*C_FILES, *CPP_FILES, *COMPILED)
