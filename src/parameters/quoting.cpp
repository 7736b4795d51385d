#include "parameters/quoting.hpp"

namespace Tessera::parameters {

std::string where(Teuchos::ParameterList const& list, std::string const& name) {
  return core::excerpt(list.name(), 300) + " -> \"" + core::excerpt(name) + "\"";
}

}  // namespace Tessera::parameters
