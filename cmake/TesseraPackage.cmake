# make package: three Debian packages by CPack. tessera has the program and the parameter lists, libtessera-dev the libraries, the
# headers and find_package(Tessera), tessera-doc the documents. Their version is the project's, which the preset `package` builds for
# any machine of the architecture. cmake/try-debian.sh --package tries them.
set(TESSERA_PACKAGE_CONTACT "The authors of Tessera" CACHE STRING "Maintainer of Debian packages, as Name <address>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_CONTACT "${TESSERA_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program dev doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tessera)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program tessera, and ready parameter lists.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON) # Trilinos, MPI, LAPACK, zlib, liblzma in the versions that it was linked with
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS openmpi-bin)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS tessera-doc)

# Static libraries link what Tessera links, so the package needs the development packages that the build needs.
file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/debian-packages.txt" _needed REGEX "^[a-z0-9-]*-dev$")
list(REMOVE_ITEM _needed libgtest-dev libbenchmark-dev libcli11-dev nlohmann-json3-dev libboost-dev)
list(JOIN _needed ", " _needed)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtessera-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Static libraries, headers and CMake's package files.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${_needed}")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS tessera-doc)

set(CPACK_DEBIAN_DOC_PACKAGE_NAME tessera-doc)
set(CPACK_COMPONENT_DOC_DESCRIPTION "Documents and examples.")
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr") # where Debian's policy wants the licence
  foreach(_pair program:tessera dev:libtessera-dev doc:tessera-doc)
    string(REPLACE ":" ";" _pair "${_pair}")
    list(GET _pair 0 _component)
    list(GET _pair 1 _name)
    install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${_name}" RENAME copyright COMPONENT ${_component})
  endforeach()
endif()
include(CPack)
