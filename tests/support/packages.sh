#!/usr/bin/env bash
# Installs the Debian packages that are missing: packages.sh build | test | demo ...
#   build    what the program is built with
#   test     what the checks and tests need besides
#   servers  what brings servers of other versions (servers.sh)
#   demo     what demo.sh needs besides
# Says what it installs before it does, and nothing is removed. Uses sudo unless run by root.
set -euo pipefail

# Other people's packages of some programs are as good.
echo_unless_there() { # PROGRAM PACKAGE...
  command -v "$1" >/dev/null || echo "${@:2}"
}

packages_of() {
  case "$1" in
    build)
      echo g++ cmake ninja-build ccache pkg-config libcaf-dev libpq-dev libspdlog-dev \
        libtomlplusplus-dev libcli11-dev libexpected-dev nlohmann-json3-dev libisal-dev libsystemd-dev \
        libcpp-httplib-dev
      ;;
    test) echo clang-format git catch2 libbenchmark-dev postgresql-15 pgbouncer openssl python3 mandoc ;;
    servers) echo_unless_there npm nodejs npm ;;
    demo) echo postgresql-15 python3 ;;
    *)
      echo "packages.sh: there is no group '$1'; the groups are build, test, servers and demo" >&2
      exit 2
      ;;
  esac
}

installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Silent but for what goes wrong.
apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

apt_install() { apt_get install --no-install-recommends -y "$@"; }

# Debian's server packages make and start a cluster of their own when they are installed. The tests
# make theirs, so on a machine that has never had a server that is switched off meanwhile.
install_server_quietly() {
  local conf=/etc/postgresql-common/createcluster.conf
  if installed postgresql-common; then
    return
  fi
  apt_install postgresql-common
  as_root cp -p "$conf" "$conf.before-replicant"
  trap 'as_root mv "$conf.before-replicant" "$conf"' RETURN
  echo 'create_main_cluster = false' | as_root tee "$conf" >/dev/null
  apt_install postgresql-15
}

# The tests start a pooler of their own; Debian's package starts one, now and at every boot.
install_pooler_quietly() {
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'as_root rm -f "$policy"' RETURN
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
  fi
  apt_install pgbouncer
  if command -v systemctl >/dev/null; then
    as_root systemctl --quiet disable pgbouncer >/dev/null 2>&1 || true # Nothing to switch off.
  fi
}

missing=()
for group in "$@"; do
  for package in $(packages_of "$group"); do
    if ! installed "$package" && [[ " ${missing[*]} " != *" $package "* ]]; then
      missing+=("$package")
    fi
  done
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "packages: nothing is missing"
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "packages: this is no Debian; the equivalents of these are needed: ${missing[*]}"
  exit 0
fi
echo "packages: installing ${missing[*]}"
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
  echo "packages: neither root nor sudo; please have root run: apt-get install ${missing[*]}" >&2
  exit 1
fi
apt_get update
if [[ " ${missing[*]} " == *" postgresql-15 "* ]]; then
  install_server_quietly
fi
if [[ " ${missing[*]} " == *" pgbouncer "* ]]; then
  install_pooler_quietly
fi
apt_install "${missing[@]}"
