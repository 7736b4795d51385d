#include "fsai/growth_cuda.cuh"
