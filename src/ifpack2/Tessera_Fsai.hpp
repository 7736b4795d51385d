#pragma once
/// \file
/// A factored sparse approximate inverse; the bodies are in the library.
#include "Tessera_Fsai_decl.hpp"
