# Trilinos 13.2 (Debian 12, 13) to 16, as one interface target: tessera_trilinos.
# Included by the build and by the installed TesseraConfig.cmake.
# ML, MueLu and Stratimikos are optional: TESSERA_HAVE_ML, TESSERA_HAVE_MUELU, TESSERA_HAVE_STRATIMIKOS say what was found.
set(_required Tpetra Belos Ifpack2 Galeri)
set(_optional ML MueLu Stratimikos)
if(TARGET tessera_trilinos)
  return()
endif()
find_package(Trilinos REQUIRED COMPONENTS ${_required} OPTIONAL_COMPONENTS ${_optional})
foreach(_package IN LISTS _optional)
  string(TOUPPER ${_package} _upper)
  if(_package IN_LIST Trilinos_PACKAGE_LIST OR ${_package}_FOUND OR TARGET ${_package}::all_libs)
    set(TESSERA_HAVE_${_upper} ON)
  else()
    set(TESSERA_HAVE_${_upper} OFF)
  endif()
endforeach()
add_library(tessera_trilinos INTERFACE)
if(TARGET Trilinos::all_selected_libs) # Trilinos 14 and later: targets carry their includes and MPI
  target_link_libraries(tessera_trilinos INTERFACE Trilinos::all_selected_libs)
else() # 13.2: bare targets; Trilinos_TPL_INCLUDE_DIRS holds /usr/include, which must not be passed on
  target_include_directories(tessera_trilinos SYSTEM INTERFACE ${Trilinos_INCLUDE_DIRS})
  target_link_libraries(tessera_trilinos INTERFACE ${Trilinos_LIBRARIES} MPI::MPI_CXX)
endif()
target_compile_options(tessera_trilinos INTERFACE -Wno-deprecated-declarations)
