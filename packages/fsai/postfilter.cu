#include "fsai/postfilter_cuda.cuh"
