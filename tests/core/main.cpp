// The program that runs every test of the core: build/core/tests/core/core_tests --help.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
