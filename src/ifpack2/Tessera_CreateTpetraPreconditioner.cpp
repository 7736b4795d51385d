#include "Tessera_CreateTpetraPreconditioner.hpp"

#include "Tessera_Details_Create.hpp"
#include "Tessera_ReadXml.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

using Operator = Teuchos::RCP<Tpetra::Operator<> const>;
using Vectors = Teuchos::RCP<Tpetra::MultiVector<> const>;
using Matrix = Details::Preconditioner::row_matrix_type;

Teuchos::RCP<Matrix const> matrix_of(char const* caller, Operator const& A) {
  auto const matrix = Teuchos::rcp_dynamic_cast<Matrix const>(A);
  TESSERA_VALIDATE(!matrix.is_null(), "Tessera::", caller, ": ",
                   A.is_null() ? "A is null" : "A is an operator without rows that could be read",
                   " (a preconditioner is made of a matrix): give a Tpetra::RowMatrix, such as a CrsMatrix");
  return matrix;
}

Teuchos::RCP<Details::Preconditioner> created(Teuchos::RCP<Matrix const> const& A,
                                              Teuchos::ParameterList const& list, Vectors const& coordinates,
                                              Vectors const& nullspace) {
  auto const M = Details::create(list, A);
  if (!coordinates.is_null()) M->setCoordinates(coordinates);
  if (!nullspace.is_null()) M->setNearNullspace(nullspace);
  M->compute();
  return M;
}

}  // namespace

Teuchos::RCP<Details::Preconditioner> createTpetraPreconditioner(Operator const& A,
                                                                 Teuchos::ParameterList const& list,
                                                                 Vectors const& coordinates,
                                                                 Vectors const& nullspace) {
  return created(matrix_of("createTpetraPreconditioner", A), list, coordinates, nullspace);
}

Teuchos::RCP<Details::Preconditioner> createTpetraPreconditioner(Operator const& A,
                                                                 std::string const& xml_file,
                                                                 Vectors const& coordinates,
                                                                 Vectors const& nullspace) {
  auto const matrix = matrix_of("createTpetraPreconditioner", A);
  return created(matrix, *readXml(xml_file, *matrix->getComm()), coordinates, nullspace);
}

void reuseTpetraPreconditioner(Operator const& A, Details::Preconditioner& M) {
  M.setMatrix(matrix_of("reuseTpetraPreconditioner", A));
  M.compute();
}

}  // namespace Tessera
