# tessera_options(TARGET): what every compiled target of ours has in common.
# -ffp-contract=off: the hierarchy must be bitwise equal on every back end (docs/decisions/0002), so no hidden FMA.
# -fmacro-prefix-map: exceptions say src/ifpack2/x.cpp wherever the library was built.
# TESSERA_CUDA_UNIT: headers of packages/ show kernels to Tessera's .cu units alone, and not to whatever a CUDA compiler compiles.
function(tessera_options target)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:TESSERA_CUDA_UNIT>)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -Wall -Wextra>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TESSERA_NATIVE}>>:-march=native>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TESSERA_WERROR}>>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false --expt-relaxed-constexpr --extended-lambda -Xcompiler=-Wall,-fopenmp,-ffp-contract=off,-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
  if(TESSERA_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TESSERA_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=${TESSERA_SANITIZE})
  endif()
endfunction()

# tessera_package(NAME [SHARED] [INSTANCES x.cpp ...] [SOURCES a.cpp ...] [CUDA_SOURCES a.cu ...] [DEPENDS core ...] [LIBRARIES MPI::MPI_CXX ...]
#                 [DEFINITIONS X ...] [PRIVATE_LIBRARIES ...])
# A folder of packages/ as the target Tessera::NAME. INSTANCES instantiate templates for InstanceSpace
# (core/space.hpp): compiled for the host, and in a build with CUDA by nvcc, too.
# With TESSERA_SHARED_PACKAGES the objects of all packages go into one shared library, tessera_packages (packages/CMakeLists.txt), and
# Tessera::NAME links that; PRIVATE_LIBRARIES are then the shared library's alone. SHARED: a shared library of its own in each build,
# which holds what it needs of other packages.
function(tessera_package name)
  cmake_parse_arguments(arg "SHARED" "" "INSTANCES;SOURCES;CUDA_SOURCES;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;DEFINITIONS" ${ARGN})
  if(arg_SHARED)
    set(_target tessera_${name})
    add_library(${_target} SHARED ${arg_INSTANCES} ${arg_SOURCES})
    set(_depends ${arg_DEPENDS})
    list(TRANSFORM _depends PREPEND tessera_)
  elseif(TESSERA_SHARED_PACKAGES)
    set(_target tessera_${name}_objects)
    add_library(${_target} OBJECT ${arg_INSTANCES} ${arg_SOURCES})
    set(_depends ${arg_DEPENDS})
    list(TRANSFORM _depends PREPEND tessera_)
    list(TRANSFORM _depends APPEND _objects)
    target_link_libraries(tessera_packages PRIVATE ${_target})
    if(TESSERA_HOST_ONLY)
      target_compile_options(${_target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--host-only>)
    endif()
    add_library(tessera_${name} INTERFACE)
    target_include_directories(tessera_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/packages>)
    list(TRANSFORM arg_DEPENDS PREPEND tessera_)
    target_link_libraries(tessera_${name} INTERFACE tessera_packages ${arg_DEPENDS} ${arg_LIBRARIES})
    target_compile_definitions(tessera_${name} INTERFACE ${arg_DEFINITIONS})
  else()
    set(_target tessera_${name})
    add_library(${_target} STATIC ${arg_INSTANCES} ${arg_SOURCES})
    set(_depends ${arg_DEPENDS})
    list(TRANSFORM _depends PREPEND tessera_)
  endif()
  add_library(Tessera::${name} ALIAS tessera_${name})
  if(TESSERA_ENABLE_CUDA)
    foreach(_instance IN LISTS arg_INSTANCES)
      string(REGEX REPLACE "\\.cpp$" ".cu" _unit "${CMAKE_CURRENT_BINARY_DIR}/${_instance}")
      file(CONFIGURE OUTPUT "${_unit}" CONTENT "#include \"${name}/${_instance}\"\n" @ONLY)
      list(APPEND arg_CUDA_SOURCES "${_unit}")
    endforeach()
    target_sources(${_target} PRIVATE ${arg_CUDA_SOURCES})
  endif()
  target_include_directories(${_target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/packages>)
  set(_scope PUBLIC)
  if(arg_SHARED)
    set(_scope PRIVATE)
  endif()
  target_link_libraries(${_target} ${_scope} ${_depends} ${arg_LIBRARIES} ${arg_PRIVATE_LIBRARIES})
  target_compile_definitions(${_target} PUBLIC ${arg_DEFINITIONS})
  tessera_options(${_target})
  set_target_properties(tessera_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY TESSERA_INSTALLED_TARGETS tessera_${name})
endfunction()

# tessera_component(NAME SOURCES ... DEPENDS ... [PRIVATE]): a folder of src/ as the target Tessera::NAME (sees Trilinos).
# PRIVATE: for Tessera's own programs (benchmark opponents, the command line), so not installed.
function(tessera_component name)
  cmake_parse_arguments(arg "PRIVATE" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  add_library(tessera_${name} STATIC ${arg_SOURCES})
  add_library(Tessera::${name} ALIAS tessera_${name})
  target_include_directories(tessera_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src/${name}>)
  list(TRANSFORM arg_DEPENDS PREPEND tessera_)
  target_link_libraries(tessera_${name} PUBLIC ${arg_DEPENDS} ${arg_LIBRARIES} $<BUILD_INTERFACE:tessera_trilinos>
    $<INSTALL_INTERFACE:Tessera::trilinos>)
  set_target_properties(tessera_${name} PROPERTIES EXPORT_NAME ${name})
  tessera_options(tessera_${name})
  if(NOT arg_PRIVATE)
    target_include_directories(tessera_${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tessera>)
    set_property(GLOBAL APPEND PROPERTY TESSERA_INSTALLED_TARGETS tessera_${name})
  endif()
endfunction()
