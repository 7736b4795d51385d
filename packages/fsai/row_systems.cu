#include "fsai/row_systems_cuda.cuh"
