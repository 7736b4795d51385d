# Everything that Tessera takes from elsewhere, found once.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_package(MPI REQUIRED COMPONENTS CXX)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(LAPACK REQUIRED)
find_package(ZLIB REQUIRED) # Matrix Market files in gzip and xz
find_package(LibLZMA REQUIRED)

if(TESSERA_ENABLE_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
endif()

if(TESSERA_ENABLE_TRILINOS)
  include(TesseraTrilinos)
  # Trilinos deprecates functions that 13.2 has no other names for, and (since 15) Epetra and ML as a whole, by #warning.
  target_compile_options(tessera_trilinos INTERFACE -Wno-deprecated-declarations -Wno-cpp)
  find_package(Boost 1.74 REQUIRED CONFIG) # headers only: the gallery's Delaunay triangulations are Boost.Polygon's
endif()
