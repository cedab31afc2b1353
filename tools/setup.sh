#!/bin/sh
# setup.sh [build|test|full|deb|develop] - install what is missing, with apt.
#
# build:    what the program needs
# test:     and what its tests need
# full:     and what only the slow ones do
# deb:      what a package for Debian needs
# develop:  and formatters, linters, coverage, bench
#
# Packages that not every release has, or that only add a test, are optional:
# what needs them skips without them.  With SETUP=no nothing is looked for.  On other systems it says what is needed
# and leaves the rest to the build, which names what it cannot find.
set -eu
[ "${SETUP:-yes}" != no ] || exit 0

build='gcc libc6-dev make cmake libpopt-dev libxxhash-dev'
build_optional='ninja-build scdoc libdw-dev zlib1g-dev libzstd-dev'
test='g++ pkg-config binutils libcmocka-dev'
test_optional='clang libclang-rt-dev libck-dev libboost-dev python3 gdb zstd
    libxml2-utils python3-jsonschema'
full_optional='g++-aarch64-linux-gnu qemu-user chromium-driver
    python3-selenium zsh fish meson debootstrap'
deb='dpkg-dev debhelper dh-python scdoc libdw-dev zlib1g-dev libzstd-dev'
develop='clang-format clang-tidy cppcheck gcovr'
develop_optional='afl++ shellcheck'

case ${1:-build} in
build) need=$build want=$build_optional ;;
test)
    need="$build $test" want="$build_optional $test_optional" ;;
full)
    need="$build $test"
    want="$build_optional $test_optional $full_optional" ;;
deb)
    need="$build $deb" want="$build_optional lintian" ;;
develop)
    need="$build $test $develop"
    want="$build_optional $test_optional $develop_optional" ;;
*)
    echo "usage: tools/setup.sh [build|test|full|deb|develop]" >&2
    exit 2 ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: no apt here; make sure you have (Debian's names): $need" >&2
    exit 0
fi

is_installed()
{
    case $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) in
    *' installed') return 0 ;;
    *) return 1 ;;
    esac
}

missing_of()
{
    for package; do
        is_installed "$package" || printf '%s ' "$package"
    done
}

is_known()
{
    apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

known_of()
{
    for package; do
        ! is_known "$package" || printf '%s ' "$package"
    done
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}

has_lists()
{
    apt-cache policy 2>/dev/null | grep -q '^ *[0-9]* [a-z+]*:'
}

update()
{
    as_root apt-get update -q ||
        echo "setup: cannot update the package lists; trying without" >&2
}

install()
{
    as_root apt-get install -qy --no-install-recommends "$@"
}

# shellcheck disable=SC2086 # lists of words, throughout
missing=$(missing_of $need)
# shellcheck disable=SC2086
wanted=$(missing_of $want)
[ -n "$missing$wanted" ] || exit 0

if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    if [ -z "$missing" ]; then
        echo "setup: going on without optional packages: $wanted" >&2
        exit 0
    fi
    echo "setup: neither root nor sudo; please have installed: $missing" >&2
    exit 1
fi

echo "setup: apt-get will install $missing$wanted" >&2
echo "setup: (what of it there is; with SETUP=no nothing)" >&2

# A bare system has no package lists at all; old lists name files that are gone.
if ! has_lists; then
    update
fi
if [ -n "$missing" ]; then
    echo "setup: installing $missing" >&2
    # shellcheck disable=SC2086
    install $missing || { update && install $missing; }
fi
# shellcheck disable=SC2086
wanted=$(known_of $wanted)
if [ -n "$wanted" ]; then
    echo "setup: installing, as they are at hand, $wanted" >&2
    # shellcheck disable=SC2086
    install $wanted ||
        echo "setup: going on without them" >&2
fi
