# Hooks are called, and come from the program: no sanitizer's library.
command -v cc >/dev/null && command -v c++ >/dev/null || exit 77
look()
{
    nm -D "$1" | grep -q __tsan_write && echo "$2: calls hooks"
    readelf -d "$1" | grep NEEDED | grep -q tsan && echo "$2: has a sanitizer"
}
look "$(load-target --path queue-coarse | head -n 1)" plain
for language in "cc c++" "gcc g++" "clang clang++"; do
    export CC="${language% *}" CXX="${language#* }"
    command -v "$CC" >/dev/null && command -v "$CXX" >/dev/null || continue
    look "$(load-target --hooked --path queue-coarse | head -n 1)" hooked
    look "$(load-target --hooked --path number.cpp | head -n 1)" hooked
done | sort -u
