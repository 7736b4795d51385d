#pragma once
/// \file
/// Whole solves by Tessera behind Thyra's interface; the bodies are in the library.
#include "Tessera_ThyraLinearOpWithSolveFactory_decl.hpp"
