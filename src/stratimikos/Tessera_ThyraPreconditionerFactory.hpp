#pragma once
/// \file
/// Tessera behind Thyra's interface; the bodies are in the library.
#include "Tessera_ThyraPreconditionerFactory_decl.hpp"
