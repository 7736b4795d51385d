# Matrices that tests may read but that are not ours to distribute (Matrix Market, xz): found beside the checkout. Tests get the
# folder as TESSERA_MATRICES (tests/support/matrices.hpp) and skip, saying so, what is not there.
set(TESSERA_MATRICES_DIR "${PROJECT_SOURCE_DIR}/../shared/matrices" CACHE PATH "Folder of NAME.mtx.xz files for tests")
get_filename_component(TESSERA_MATRICES "${TESSERA_MATRICES_DIR}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")

# tessera_use_matrices(TARGET): the target's program reads them.
function(tessera_use_matrices target)
  target_compile_definitions(${target} PRIVATE TESSERA_MATRICES="${TESSERA_MATRICES}")
endfunction()
