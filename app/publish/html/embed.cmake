# embed.cmake - files as a C file: cmake -D OUT=... -D NAME=... -D FILES="a;b"
# -P embed.cmake.  It defines `const struct publish_asset NAME` (asset.h): the
# bytes of all FILES, one after the other, and their SHA-256.
set(bytes "")
set(whole "")
foreach(file ${FILES})
  file(READ ${file} hex HEX)
  string(APPEND bytes ${hex})
  file(READ ${file} text)
  string(APPEND whole "${text}")
endforeach()
file(WRITE ${OUT}.whole "${whole}")
file(SHA256 ${OUT}.whole hash)
file(READ ${OUT}.whole check HEX)
file(REMOVE ${OUT}.whole)
if(NOT check STREQUAL bytes)
  message(FATAL_ERROR "${FILES} hold something that CMake cannot copy")
endif()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hash "${hash}")
file(WRITE ${OUT} "/* Made by embed.cmake. */
#include \"asset.h\"

static const unsigned char bytes[] = { ${bytes} };

const struct publish_asset ${NAME} = {
    bytes, sizeof bytes, { ${hash} }
};
")
