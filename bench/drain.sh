#!/usr/bin/env bash
# How fast a backlog is drained: replicant beside pg_recvlogical, on copies of one slot of a
# throw-away server. "drain.sh --help" tells the choices; README.md what the numbers mean.
exec python3 "$(dirname "$0")/support/drain.py" "$@"
