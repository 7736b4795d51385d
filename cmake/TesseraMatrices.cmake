# Matrices that tests may read but that are not ours to distribute (Matrix Market, xz): found beside the checkout. Tests get the
# folder as TESSERA_MATRICES (tests/support/matrices.hpp) and skip, saying so, what is not there.
set(TESSERA_MATRICES_DIR "${PROJECT_SOURCE_DIR}/../shared/matrices" CACHE PATH "Folder of NAME.mtx.xz files for tests")
get_filename_component(TESSERA_MATRICES "${TESSERA_MATRICES_DIR}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")

# tessera_use_matrices(TARGET): the target's program reads them; a test counts what it tests without them.
function(tessera_use_matrices target)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_test(NAME ${target}_twins COMMAND ${Python3_EXECUTABLE} -B "${PROJECT_SOURCE_DIR}/tests/architecture/twins.py"
    ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 1 $<TARGET_FILE:${target}>)
  set_tests_properties(${target}_twins PROPERTIES ENVIRONMENT "${TESSERA_MPI_ENVIRONMENT};OMP_NUM_THREADS=1")
  target_compile_definitions(${target} PRIVATE TESSERA_MATRICES="${TESSERA_MATRICES}")
endfunction()
