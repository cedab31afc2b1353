#!/bin/sh
# aarch64-root.sh DIRECTORY - get what aarch64.sh links plumb to, from Debian.
#
# apt fetches packages for arm64, which are unpacked below DIRECTORY.  Nothing is
# installed, and nobody has to be root: `dpkg --add-architecture arm64` would do
# as well, but wants all packages of this machine to be as new.
set -eu

[ $# -eq 1 ] || { echo "usage: aarch64-root.sh DIRECTORY" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
apt=$root/apt
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/got"
: >"$apt/state/status"
cat >"$apt/apt.conf" <<EOF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
EOF
export APT_CONFIG="$apt/apt.conf"

apt-get update -q ||
    echo "aarch64-root: some lists are not there; going on" >&2
cd "$apt/got"
apt-get download -q libpopt0 libpopt-dev libdw1 libdw-dev libelf1 zlib1g \
    libbz2-1.0 liblzma5
for package in ./*.deb; do
    dpkg-deb -x "$package" "$root"
done
rm -rf "$apt"
