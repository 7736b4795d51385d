# Trilinos 13.2 (Debian 12, 13) to 16, as one interface target: tessera_trilinos.
# Included by the build and by the installed TesseraConfig.cmake.
# TESSERA_TRILINOS_PACKAGES are optional: TESSERA_HAVE_ML, TESSERA_HAVE_MUELU, TESSERA_HAVE_STRATIMIKOS say what was found of them.
if(TARGET tessera_trilinos)
  return()
endif()
find_package(Trilinos REQUIRED COMPONENTS Tpetra Belos Ifpack2 Galeri OPTIONAL_COMPONENTS ${TESSERA_TRILINOS_PACKAGES})
foreach(_package ML MueLu Stratimikos)
  string(TOUPPER ${_package} _upper)
  if(_package IN_LIST TESSERA_TRILINOS_PACKAGES AND Trilinos_${_package}_FOUND)
    set(TESSERA_HAVE_${_upper} ON)
  else()
    set(TESSERA_HAVE_${_upper} OFF)
  endif()
endforeach()
add_library(tessera_trilinos INTERFACE)
if(TARGET Trilinos::all_selected_libs) # Trilinos 14 and later: targets carry their includes
  target_link_libraries(tessera_trilinos INTERFACE Trilinos::all_selected_libs)
else() # 13.2: bare targets; Trilinos_TPL_INCLUDE_DIRS holds /usr/include, which must not be passed on
  target_include_directories(tessera_trilinos SYSTEM INTERFACE ${Trilinos_INCLUDE_DIRS})
  target_link_libraries(tessera_trilinos INTERFACE ${Trilinos_LIBRARIES})
endif()
# A Trilinos that was built with mpicxx knows no MPI library (its MPI::all_libs is empty).
target_link_libraries(tessera_trilinos INTERFACE MPI::MPI_CXX)
