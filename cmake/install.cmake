# What `make install` puts where.  Nothing installed holds the prefix, so the
# tree can be moved, and DESTDIR works by itself.

include(CMakePackageConfigHelpers)

install(TARGETS plumb EXPORT plumbTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET plumb-shared)
  install(TARGETS plumb-shared EXPORT plumbTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS plumb-hooks ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/plumb DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")

# The program finds its object library and its models beside itself
# (app/console/install_paths.c).
install(DIRECTORY objects models DESTINATION share/plumb)

if(TARGET plumb-cli)
  install(TARGETS plumb-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# What `plumb explore` runs targets in.
if(TARGET plumb-host)
  install(TARGETS plumb-host
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/plumb)
endif()

# What its compilers run in front of the assembler.
if(TARGET plumb-as)
  install(TARGETS plumb-as
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/plumb/assembler)
endif()

# ---- for users of the library: pkg-config and find_package

file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(plumb.pc.in plumb.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/plumb.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/plumb)
configure_package_config_file(plumbConfig.cmake.in plumbConfig.cmake
  INSTALL_DESTINATION ${PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(plumbConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/plumbConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/plumbConfigVersion.cmake cmake/plumbTest.cmake
  DESTINATION ${PACKAGE_DIR})
install(EXPORT plumbTargets NAMESPACE plumb:: DESTINATION ${PACKAGE_DIR})

# ---- for Python, beside the library, where this Python looks for packages

find_program(PLUMB_PYTHON python3)
if(PLUMB_PYTHON AND NOT DEFINED PLUMB_PYTHON_DIR)
  # Debian keeps its own packages apart from those of others.
  execute_process(COMMAND ${PLUMB_PYTHON} -c "import sys, sysconfig
kind = 'dist' if 'deb_system' in sysconfig.get_scheme_names() else 'site'
print('python%d.%d/%s-packages' % (*sys.version_info[:2], kind))"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(found)
    set(PLUMB_PYTHON_DIR lib/${found} CACHE STRING "where Python's packages go")
  endif()
endif()
if(PLUMB_PYTHON_DIR)
  install(DIRECTORY python/plumbline DESTINATION ${PLUMB_PYTHON_DIR}
    FILES_MATCHING PATTERN "*.py")
endif()

# ---- documents, examples, completion, and man pages where scdoc is at hand

set(DOC_DIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/plumb)

file(GLOB DOCUMENTS CONFIGURE_DEPENDS docs/*.md docs/*.svg docs/*.json)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE SECURITY.md
  DESTINATION ${DOC_DIR})
install(FILES ${DOCUMENTS} DESTINATION ${DOC_DIR}/docs)
install(DIRECTORY examples DESTINATION ${DOC_DIR})

install(FILES completions/plumb.bash RENAME plumb
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
install(FILES completions/_plumb
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)
install(FILES completions/plumb.fish
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)

# The program prints the options of its man pages itself.
find_program(SCDOC scdoc)
file(GLOB MAN_SOURCES CONFIGURE_DEPENDS man/*.scd)
set(RENDER ${CMAKE_SOURCE_DIR}/man/render.sh)
if(SCDOC AND TARGET plumb-cli AND NOT CMAKE_CROSSCOMPILING)
  foreach(source ${MAN_SOURCES})
    get_filename_component(page ${source} NAME_WLE) # plumb-check.1
    string(REGEX REPLACE "^.*\\." "" section ${page})
    add_custom_command(OUTPUT ${page} DEPENDS ${source} ${RENDER} plumb-cli
      VERBATIM COMMAND ${RENDER} $<TARGET_FILE:plumb-cli> ${SCDOC} ${source}
      ${page})
    list(APPEND MAN_PAGES ${CMAKE_CURRENT_BINARY_DIR}/${page})
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${page}
      DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endforeach()
  add_custom_target(man ALL DEPENDS ${MAN_PAGES})
  # One command has the page of another.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/plumb-c++.1 ".so man1/plumb-cc.1\n")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/plumb-c++.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Of the headers' API, from the headers.
file(GLOB HEADERS CONFIGURE_DEPENDS include/plumb/*.h)
set(API_PAGES ${CMAKE_CURRENT_BINARY_DIR}/man3)
add_custom_command(OUTPUT ${API_PAGES}/plumb_check.h.3 VERBATIM
  DEPENDS ${HEADERS} ${CMAKE_SOURCE_DIR}/man/headers.sh
  COMMAND ${CMAKE_SOURCE_DIR}/man/headers.sh ${PROJECT_VERSION} ${API_PAGES}
  ${HEADERS})
add_custom_target(man-of-headers ALL DEPENDS ${API_PAGES}/plumb_check.h.3)
install(DIRECTORY ${API_PAGES}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
