#pragma once
/// \file
/// Smoothed aggregation; the bodies are in the library.
#include "Tessera_SmoothedAggregation_decl.hpp"
