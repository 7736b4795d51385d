#pragma once
/// \file
/// Preconditioners by name: ours, then Ifpack2's.
#include "Tessera_Factory_decl.hpp"
#include "Tessera_Factory_def.hpp"
