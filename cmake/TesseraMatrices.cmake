# Matrices that tests may read but that are not ours to distribute (Matrix Market, xz): found beside the checkout, unpacked into the
# build tree. Tests get the folder as TESSERA_MATRICES (tests/support/matrices.hpp) and skip, saying so, what is not there.
set(TESSERA_MATRICES_DIR "${PROJECT_SOURCE_DIR}/../shared/matrices" CACHE PATH "Folder of NAME.mtx.xz files for tests")
find_program(TESSERA_XZ xz)
mark_as_advanced(TESSERA_XZ)
set(_unpacked)
if(TESSERA_XZ)
  file(GLOB _packed CONFIGURE_DEPENDS "${TESSERA_MATRICES_DIR}/*.mtx.xz")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/matrices")
  foreach(_file IN LISTS _packed)
    get_filename_component(_name "${_file}" NAME_WLE)
    set(_target "${CMAKE_BINARY_DIR}/matrices/${_name}")
    add_custom_command(OUTPUT "${_target}" DEPENDS "${_file}" VERBATIM
      COMMAND "${TESSERA_XZ}" --decompress --stdout "${_file}" > "${_target}" COMMENT "Unpacking ${_name}")
    list(APPEND _unpacked "${_target}")
  endforeach()
endif()
add_custom_target(tessera_matrices DEPENDS ${_unpacked})

# tessera_use_matrices(TARGET): the target's program reads them.
function(tessera_use_matrices target)
  add_dependencies(${target} tessera_matrices)
  target_compile_definitions(${target} PRIVATE TESSERA_MATRICES="${CMAKE_BINARY_DIR}/matrices")
endfunction()
