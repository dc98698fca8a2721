#!/usr/bin/env bash
# One transaction of millions of rows, taken with little memory while it is written to a throw-away
# server. "large.sh --help" tells the choices; README.md what the numbers mean.
exec python3 "$(dirname "$0")/support/large.py" "$@"
