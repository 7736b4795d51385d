# tessera_test(NAME SOURCES ... DEPENDS ... [RUNS 1 2x3 ...] [FULL 4 ...] [LABELS ...])
# One GoogleTest program under MPI, run by ctest once for each entry of RUNS and FULL: RANKS or RANKSxTHREADS, 1 if there is none.
# Runs of FULL have the label full: `make test` leaves them to `make test-full`. A failure on any rank fails the test
# (tests/support/main.cpp). Its main is the library that TESSERA_TEST_MAIN names. Waiting threads sleep: tests share cores, and
# spinning makes them seven times as long.
file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/open-mpi.env" TESSERA_MPI_ENVIRONMENT REGEX "^[A-Z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/open-mpi.env")
list(PREPEND TESSERA_MPI_ENVIRONMENT "OMP_WAIT_POLICY=passive")
set(TESSERA_TEST_TIMEOUT 600) # seconds
if(TESSERA_SANITIZE)
  set(TESSERA_TEST_TIMEOUT 1200)
  list(APPEND TESSERA_MPI_ENVIRONMENT
    "LSAN_OPTIONS=leak_check_at_exit=0:print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/cmake/leak-suppressions.txt"
    # Null as from the real allocator, so that OutOfMemory can be tested. The TLS blocks of MPI's plug-ins are left alone: GCC 12's
    # runtime takes what stands before such a block for its header, and the leak check then reads where nothing is (signal 11).
    "ASAN_OPTIONS=allocator_may_return_null=1:intercept_tls_get_addr=0"
    "UBSAN_OPTIONS=print_stacktrace=1")
endif()

function(tessera_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;RUNS;FULL;LABELS" ${ARGN})
  if(NOT arg_RUNS AND NOT arg_FULL)
    set(arg_RUNS 1)
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  list(TRANSFORM arg_DEPENDS PREPEND tessera_)
  target_link_libraries(test_${name} PRIVATE ${arg_DEPENDS} ${TESSERA_TEST_MAIN})
  tessera_options(test_${name})
  foreach(_run IN LISTS arg_RUNS arg_FULL)
    string(REGEX MATCH "^([0-9]+)x?([0-9]*)$" _ "${_run}")
    set(_ranks ${CMAKE_MATCH_1})
    set(_threads 1)
    if(CMAKE_MATCH_2)
      set(_threads ${CMAKE_MATCH_2})
    endif()
    math(EXPR _processors "${_ranks} * ${_threads}")
    set(_labels ${arg_LABELS})
    if(_run IN_LIST arg_FULL)
      list(APPEND _labels full)
    endif()
    set(_test ${name}_ranks${_ranks}_threads${_threads})
    add_test(NAME ${_test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${_ranks} $<TARGET_FILE:test_${name}>)
    set_tests_properties(${_test} PROPERTIES
      ENVIRONMENT "${TESSERA_MPI_ENVIRONMENT};OMP_NUM_THREADS=${_threads}"
      PROCESSORS ${_processors} TIMEOUT ${TESSERA_TEST_TIMEOUT} LABELS "${_labels}")
  endforeach()
endfunction()

# tessera_gpu_test(NAME SOURCES ... DEPENDS ... [RUNS 1 2 ...]): a GoogleTest program test_NAME_gpu that needs a device; labelled
# gpu, and reported as skipped where there is none (its tests begin with TESSERA_SKIP_WITHOUT_DEVICE, tests/support/device.hpp).
# Nothing in builds without CUDA.
function(tessera_gpu_test name)
  if(NOT TESSERA_ENABLE_CUDA)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;RUNS" ${ARGN})
  if(NOT arg_RUNS)
    set(arg_RUNS 1)
  endif()
  tessera_test(${name}_gpu SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS} RUNS ${arg_RUNS} LABELS gpu)
  if(NOT TARGET gpu_tests)
    add_custom_target(gpu_tests COMMENT "The tests labelled gpu")
  endif()
  add_dependencies(gpu_tests test_${name}_gpu)
  foreach(_ranks IN LISTS arg_RUNS)
    set_tests_properties(${name}_gpu_ranks${_ranks}_threads1 PROPERTIES SKIP_REGULAR_EXPRESSION "no CUDA device can be used")
  endforeach()
endfunction()

# tessera_program_test(NAME SCRIPT x_test.py [RANKS 1 2 ...] [FULL 3 ...]): a Python test that runs the built program
# (tests/cli/program.py), once for each number of ranks; FULL as above. Many of its runs end with another status than 0. After
# the first such rank mpiexec of Open MPI 4 waits a second before it kills the others; here it does not wait.
function(tessera_program_test name)
  cmake_parse_arguments(arg "" "SCRIPT" "RANKS;FULL" ${ARGN})
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(_packages "")
  foreach(_package ML MUELU)
    if(TESSERA_HAVE_${_package})
      list(APPEND _packages ${_package})
    endif()
  endforeach()
  string(REPLACE ";" "\\;" _packages "${_packages}")
  foreach(_ranks IN LISTS arg_RANKS arg_FULL)
    set(_test ${name}_ranks${_ranks})
    add_test(NAME ${_test} COMMAND ${Python3_EXECUTABLE} -B "${CMAKE_CURRENT_SOURCE_DIR}/${arg_SCRIPT}")
    set_tests_properties(${_test} PROPERTIES PROCESSORS ${_ranks} TIMEOUT 600
      ENVIRONMENT "${TESSERA_MPI_ENVIRONMENT};OMPI_MCA_odls_base_sigkill_timeout=0;OMP_NUM_THREADS=1;TESSERA=$<TARGET_FILE:tessera>;TESSERA_RANKS=${_ranks};TESSERA_VERSION=${PROJECT_VERSION};TESSERA_MPIEXEC=${MPIEXEC_EXECUTABLE}\\;${MPIEXEC_NUMPROC_FLAG};TESSERA_XML=${PROJECT_SOURCE_DIR}/xml_params;TESSERA_PACKAGES=${_packages}")
    if(_ranks IN_LIST arg_FULL)
      set_tests_properties(${_test} PROPERTIES LABELS full)
    endif()
  endforeach()
endfunction()
