#!/usr/bin/env bash
# Shows that nothing is lost and nothing doubled: streams a PostgreSQL server under load into a file
# of JSON lines, kills replicant with SIGKILL again and again, restarts the server, and compares the
# file with what the server says it committed. Takes under two minutes once everything is built.
# Installs the Debian packages that are missing, saying so first. Needs no running PostgreSQL: it
# makes a server of its own in a temporary folder, and leaves nothing behind but build/.
set -euo pipefail
cd "$(dirname "$0")"

load_seconds=40
kills_at=(4 9 13 18 27 33) # seconds into the load
restart_at=22

program=build/release/replicant
result=build/demo
file=$result/shop.jsonl
log=$result/replicant.log
work=
replicant=
load=()

say() { printf '\n== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }

# On a terminal ninja shows one line that moves; elsewhere only what goes wrong is of interest.
build() {
  mkdir -p build
  cmake --preset release >build/demo.log 2>&1 || { cat build/demo.log; return 1; }
  if [ -t 1 ]; then
    cmake --build build/release --target replicant
  else
    cmake --build build/release --target replicant >build/demo.log 2>&1 ||
      { cat build/demo.log; return 1; }
  fi
  note "$program, $("$program" --version)"
}

# ---- the server -------------------------------------------------------------------------------

# PostgreSQL refuses to run as root.
as_server_user() {
  if [ "$(id -u)" -eq 0 ]; then
    (cd / && exec runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

server() { as_server_user "$bin/pg_ctl" -D "$work/data" -l "$work/server.log" -w -s "$@" >/dev/null; }

sql() { "$bin/psql" -h "$work" -U postgres -d shop -XAtq -v ON_ERROR_STOP=1 -c "$1"; }

make_server() {
  bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  bin=${bin:-$(pg_config --bindir)}
  work=$(mktemp -d /tmp/replicant-demo.XXXXXX)
  chmod 755 "$work"
  [ "$(id -u)" -ne 0 ] || chown postgres "$work"
  as_server_user "$bin/initdb" -D "$work/data" -U postgres -A trust -E UTF8 --no-locale -N >/dev/null
  cat <<EOF | as_server_user tee -a "$work/data/postgresql.conf" >/dev/null
listen_addresses = ''
unix_socket_directories = '$work'
wal_level = logical
fsync = off
EOF
  server start
  "$bin/createdb" -h "$work" -U postgres shop
}

make_tables() {
  sql "CREATE TABLE orders (id bigserial PRIMARY KEY, customer int, amount numeric(8,2), note text,
         paid boolean DEFAULT false, placed timestamptz DEFAULT now())"
  sql "CREATE TABLE items (order_id bigint, line int, what text, PRIMARY KEY (order_id, line))"
  sql "ALTER TABLE items REPLICA IDENTITY FULL"
  sql "CREATE TABLE audit (id bigserial, what text)"
  sql "CREATE PUBLICATION shop FOR TABLE orders, items"
  # A second slot, read by PostgreSQL's own test_decoding: the server's account of what it committed.
  sql "SELECT pg_create_logical_replication_slot('oracle', 'test_decoding')" >/dev/null
}

wal_end() { sql "SELECT pg_current_wal_lsn()"; }

# ---- the load ---------------------------------------------------------------------------------

write_scripts() {
  cat >"$work/buy.sql" <<'EOF'
BEGIN;
INSERT INTO orders (customer, amount, note) VALUES (:client_id, random() * 1000, md5(random()::text));
INSERT INTO items SELECT currval('orders_id_seq'), n, 'thing ' || n FROM generate_series(1, 3) n;
COMMIT;
EOF
  cat >"$work/change.sql" <<'EOF'
\set id random(1, 3000)
BEGIN;
UPDATE orders SET paid = NOT paid WHERE id = :id;
UPDATE items SET line = line + 100, what = what || '!' WHERE order_id = :id AND line < 1000;
DELETE FROM orders WHERE id = :id - 7;
COMMIT;
EOF
  cat >"$work/regret.sql" <<'EOF'
BEGIN;
INSERT INTO orders (note) VALUES ('kept');
SAVEPOINT doubt;
INSERT INTO orders (note) VALUES ('rolled back to a savepoint');
ROLLBACK TO doubt;
COMMIT;
BEGIN;
INSERT INTO orders (note) VALUES ('rolled back');
ROLLBACK;
EOF
  cat >"$work/large.sql" <<'EOF'
INSERT INTO orders (note) SELECT repeat(md5(n::text), 20) FROM generate_series(1, 700) n;
EOF
  cat >"$work/unpublished.sql" <<'EOF'
INSERT INTO audit (what) SELECT 'nobody listens' FROM generate_series(1, 20);
EOF
}

# In a process group of its own, for as long as it is not killed; the server may go and come back.
in_background() {
  setsid bash -c "while :; do $1; sleep 0.2; done" >"$work/load.log" 2>&1 &
  load+=($!)
}

start_load() {
  write_scripts
  local scripts="-f $work/buy.sql@50 -f $work/change.sql@30 -f $work/regret.sql@15"
  scripts+=" -f $work/large.sql@1 -f $work/unpublished.sql@10"
  in_background "'$bin/pgbench' -h $work -U postgres -n -c 4 -R 300 -T 600 $scripts shop"
  # Changes of tables go on meanwhile.
  in_background "'$bin/psql' -h $work -U postgres -d shop -Xq -c 'ALTER TABLE orders ADD extra int DEFAULT 7'
    sleep 1; '$bin/psql' -h $work -U postgres -d shop -Xq -c 'ALTER TABLE orders DROP extra'; sleep 1"
}

# What is to be killed is killed without a word of the shell.
end_process() {
  kill -"$1" -- "$2" 2>/dev/null || true
  { wait "${2#-}" || true; } 2>/dev/null
}

stop_load() {
  local one
  for one in "${load[@]}"; do
    end_process TERM "-$one"
  done
  load=()
}

# ---- replicant --------------------------------------------------------------------------------

configure() {
  cat >"$result/shop.toml" <<EOF
[runtime]
state_dir = "$PWD/$result/state"
control_socket = "$work/control.sock"

[[pipeline]]
name = "shop"
slot_name = "shop"
publication = "shop"
go_forward_only = true

  [pipeline.connection]
  conninfo = "host=$work dbname=shop user=postgres"

  [pipeline.sink]
  kind = "jsonl"
  path = "$PWD/$file"
EOF
}

start_replicant() {
  "$program" run "$result/shop.toml" 2>>"$log" &
  replicant=$!
}

confirmed() { sql "SELECT coalesce(confirmed_flush_lsn, '0/0') >= '$1' FROM pg_replication_slots WHERE slot_name = 'shop'"; }

# wait_for SECONDS COMMAND...: until it says "t".
wait_for() {
  local until=$((SECONDS + $1))
  shift
  while [ "$("$@" 2>/dev/null)" != t ]; do
    if [ "$SECONDS" -ge "$until" ]; then
      note "this took too long; the log is $log"
      exit 1
    fi
    sleep 0.1
  done
}

size() { numfmt --to=iec --suffix=B "$(stat -c %s "$file" 2>/dev/null || echo 0)"; }

# What it is doing, as it tells itself: state, lag, and this life's transactions.
state() {
  "$program" status "$result/shop.toml" --format json 2>/dev/null | python3 -c '
import json, sys
one = json.load(sys.stdin)["pipelines"][0]
print("%s, %d bytes behind, %d transactions in this life" % (
    one["state"], one["lag_bytes"], one["transactions"]))' 2>/dev/null || echo "starting"
}

progress() {
  local line
  line=$(printf '%3d s  %s in the file, %s' "$1" "$(size)" "$(state)")
  if [ -t 1 ]; then
    printf '\r   %-100s' "$line"
  elif [ $(($1 % 5)) -eq 0 ]; then
    note "$line"
  fi
}

# A line that stays, over the one that moves.
event() {
  [ ! -t 1 ] || printf '\r%-103s\r' ''
  note "$(printf '%3d s  ' "$1")$2"
}

kill_and_start_again() {
  end_process KILL "$replicant"
  event "$1" "SIGKILL number $2, with $(size) in the file; started again"
  start_replicant
}

restart_server() {
  server restart -m fast
  event "$1" "the server was restarted"
}

torment() {
  local began=$SECONDS now last=-1 kills=0 restarted=
  while now=$((SECONDS - began)) && [ "$now" -lt "$load_seconds" ]; do
    if [ "$kills" -lt "${#kills_at[@]}" ] && [ "$now" -ge "${kills_at[$kills]}" ]; then
      kills=$((kills + 1))
      kill_and_start_again "$now" "$kills"
    fi
    if [ -z "$restarted" ] && [ "$now" -ge "$restart_at" ]; then
      restarted=yes
      restart_server "$now"
    fi
    if [ "$now" -ne "$last" ]; then
      progress "$now"
      last=$now
    fi
    sleep 0.2
  done
  event "$now" "the load ends, with $(size) in the file"
}

finish() {
  stop_load
  wait_for 60 confirmed "$(wal_end)"
  note "the slot has confirmed the end of the WAL"
  kill -TERM "$replicant"
  wait "$replicant"
  replicant=
  note "replicant ended as asked, exit code 0"
}

# ---- the comparison ---------------------------------------------------------------------------

compare() {
  # The settings that replicant pins for its own session, so that values read the same.
  PGOPTIONS="-c TimeZone=UTC -c DateStyle=ISO,YMD -c extra_float_digits=3 -c search_path=pg_catalog" \
    sql "COPY (SELECT lsn, xid, data FROM pg_logical_slot_get_changes('oracle', NULL, NULL,
      'include-xids', '1', 'include-timestamp', '1', 'skip-empty-xacts', '1')) TO STDOUT" >"$work/oracle"
  tests/support/compare_with_oracle.py "$file" "$work/oracle" --unpublished public.audit \
    --crc-every 10
}

# The first of each kind that fits on a screen.
samples() {
  local kind
  for kind in '"kind":"begin"' '"op":"update"' '"kind":"commit"'; do
    awk -v kind="$kind" 'index($0, kind) && length($0) < 300 {print; exit}' "$file"
  done
}

# Whatever happens, nothing goes on running.
clean_up() {
  local code=$?
  trap - EXIT
  trap '' INT TERM
  stop_load
  [ -z "$replicant" ] || end_process KILL "$replicant"
  [ -z "$work" ] || {
    server stop -m immediate 2>/dev/null || true
    rm -rf "$work"
  }
  exit "$code"
}

trap clean_up EXIT
trap 'exit 130' INT TERM

say "packages"
tests/support/packages.sh build demo

say "build"
build
rm -rf "$result"
mkdir -p "$result"

say "a PostgreSQL server of our own"
make_server
make_tables
configure
note "$(sql 'SHOW server_version') in $work: tables orders and items are published, audit is not"

say "$load_seconds seconds of load: 4 writers, large transactions, savepoints, rollbacks, ALTER TABLE"
start_replicant
wait_for 30 confirmed 0/1
start_load
torment
finish

say "the file against the server's own account"
compare
say "three of its lines"
samples
say "see all of it in $file"
