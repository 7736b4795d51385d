#!/usr/bin/env python3
"""tidy-once.py CLANG-TIDY [OPTION...] SOURCE -- COMMAND: clang-tidy, unless it has found nothing in the same source before.

The preset tidy has CMake call it with each compilation (CMAKE_CXX_CLANG_TIDY). See check_cache.py.
"""
import subprocess
import sys

import check_cache

words = sys.argv[1:]
source = words[words.index("--") - 1]
version = subprocess.run([words[0], "--version"], capture_output=True, text=True, check=True).stdout
rules = (check_cache.ROOT / ".clang-tidy").read_text()
found = check_cache.key(source, version, rules, *words)
if check_cache.passed(found):
    sys.exit(0)
status = subprocess.run(words, check=False).returncode
if status == 0:
    check_cache.record(found)
sys.exit(status)
