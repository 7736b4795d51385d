# cmake --install, and the components of packages (dev, program, doc): libraries, public headers (include/tessera), the program, the parameter lists, find_package(Tessera), and the
# documents (share/doc/Tessera) with what they link to.
include(CMakePackageConfigHelpers)
get_property(_targets GLOBAL PROPERTY TESSERA_INSTALLED_TARGETS)
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Tessera")

add_library(tessera_everything INTERFACE)
add_library(Tessera::tessera ALIAS tessera_everything)
set(_linked ${_targets})
list(REMOVE_ITEM _linked tessera_amgx) # for programs in place of AmgX
target_link_libraries(tessera_everything INTERFACE ${_linked})
set_target_properties(tessera_everything PROPERTIES EXPORT_NAME tessera)

install(TARGETS tessera_everything ${_targets} EXPORT TesseraTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${_package} COMPONENT dev)
set(_packages) # of Trilinos, what the installed libraries use beyond what they need
if(TARGET tessera_stratimikos)
  set(_packages Stratimikos)
endif()
configure_package_config_file(cmake/TesseraConfig.cmake.in TesseraConfig.cmake INSTALL_DESTINATION ${_package})
# From 1.0 on a minor version breaks nothing (docs/stability.md).
set(_compatible SameMajorVersion)
if(PROJECT_VERSION VERSION_LESS 1)
  set(_compatible SameMinorVersion)
endif()
write_basic_package_version_file(TesseraConfigVersion.cmake COMPATIBILITY ${_compatible})
install(FILES "${PROJECT_BINARY_DIR}/TesseraConfig.cmake" "${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/TesseraTrilinos.cmake" DESTINATION ${_package} COMPONENT dev)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs examples xml_params packaging DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY benchmarks/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/benchmarks COMPONENT doc)
install(FILES cmake/debian-packages.txt cmake/debian-packages-developer.txt cmake/open-mpi.env DESTINATION ${CMAKE_INSTALL_DOCDIR}/cmake
  COMPONENT doc)
install(PROGRAMS cmake/try-debian.sh DESTINATION ${CMAKE_INSTALL_DOCDIR}/cmake COMPONENT doc)

if(TESSERA_ENABLE_TRILINOS)
  file(GLOB _headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*/Tessera_*.hpp")
  install(FILES ${_headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tessera" COMPONENT dev)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/xml_params/" DESTINATION "${CMAKE_INSTALL_DATADIR}/tessera/xml_params"
    COMPONENT program FILES_MATCHING PATTERN "*.xml")
  if(TARGET tessera)
    install(TARGETS tessera RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
    install(TARGETS tessera_program RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR} COMPONENT program)
  endif()
endif()
