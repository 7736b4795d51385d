# The front door: `make solve` and `make test` on a bare Debian. Everything behind it is CMake (docs/building.md).
PRESET ?= default
NX ?= 101
RANKS ?= 2
# A translation unit that includes Trilinos takes up to 1.5 GB.
JOBS ?= $(shell awk -v cores=$$(nproc) '/MemAvailable/ {m = int($$2 / 1.5e6); print m < 1 ? 1 : m < cores ? m : cores}' /proc/meminfo)

# Ours first, then its peers on the same problem.
LISTS := sa_amg ml_sa ml_sa_chebyshev muelu_sa_chebyshev
XML := $(foreach list,$(LISTS),$(addprefix --xml ,$(wildcard xml_params/$(list).xml)))

include cmake/open-mpi.env
export $(shell sed -n 's/^\([A-Z].*\)=.*/\1/p' cmake/open-mpi.env)

.PHONY: help solve test test-full build configure packages package format install clean

help:
	@echo 'make solve    solve the 7-point Laplacian on a grid of NX = $(NX) cubed on RANKS = $(RANKS) ranks: Tessera, ML and MueLu'
	@echo 'make test     build everything and run the tests'
	@echo 'make test-full  the same with the tests that take long: more numbers of ranks and threads, several hosts, the papers at full size'
	@echo 'make build    build everything             (PRESET = $(PRESET), JOBS = $(JOBS))'
	@echo 'make install  install under PREFIX=...     (then find_package(Tessera))'
	@echo 'make package  Debian packages of the program, the libraries and the documents, in build/package/packages'
	@echo 'make format   clang-format every source in place'
	@echo 'make clean    remove build/'

solve: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target tessera
	OMP_NUM_THREADS=1 mpiexec -np $(RANKS) build/$(PRESET)/bin/tessera compare \
	  --problem Laplace3D --nx $(NX) --ny $(NX) --nz $(NX) --repeat 3 $(XML)

test: build
	@ctest --preset $(PRESET) --parallel $(JOBS) -LE full

test-full: build
	@ctest --preset $(PRESET) --parallel $(JOBS)

build: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

configure: packages
	@cmake --preset $(PRESET)

packages:
	@cmake/install-packages.sh cmake/debian-packages.txt

package:
	@cmake/install-packages.sh cmake/debian-packages.txt cmake/debian-packages-package.txt
	@cmake --preset package
	@cmake --build --preset package --parallel $(JOBS)
	@cmake --build --preset package --target package

format:
	@cmake/format.sh -i

install: build
	@cmake --install build/$(PRESET) --prefix $(or $(PREFIX),$(error say where: make install PREFIX=...))

clean:
	@rm -rf build
