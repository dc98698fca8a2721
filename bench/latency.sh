#!/usr/bin/env bash
# How long from a commit to its durable line in the file, alone and under load, and what an idle
# pipeline costs. "latency.sh --help" tells the choices; README.md what the numbers mean.
exec python3 "$(dirname "$0")/support/latency.py" "$@"
