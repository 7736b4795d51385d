#pragma once
/// \file
/// A matrix with its solver behind Thyra's interface; the bodies are in the library.
#include "Tessera_ThyraLinearOpWithSolve_decl.hpp"
