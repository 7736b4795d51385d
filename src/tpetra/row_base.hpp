#pragma once
/// \file
/// From where the numbers of rows in messages count.
#include <string>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Messages call rows by their global indices, which mostly count from 0, where files of matrices count from
/// 1. A text that names a row or an entry a(i, j) says so at its end, such as "...; rows count from 0"; any
/// other text is as it was. Not collective.
std::string with_row_base(std::string text, Map const& rows);

}  // namespace Tessera::tpetra
