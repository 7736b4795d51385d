#pragma once
/// \file
/// The objects that handles name, and how functions of the C interface fail.
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "amgx/solver.hpp"
#include "amgx/tessera_amgx.h"
#include "core/error.hpp"

namespace Tessera::amgx {

/// A failure with a code of its own.
struct Refusal : std::runtime_error {
  Refusal(AMGX_RC reason, std::string const& text) : std::runtime_error(text), code(reason) {}
  AMGX_RC code;
};

template <class... Parts>
void require(bool fulfilled, AMGX_RC code, Parts const&... parts) {
  if (!fulfilled) throw Refusal(code, core::message(parts...));
}

struct Configuration {
  static constexpr char const* name = "configuration";
  Options options;
};

struct Resources {
  static constexpr char const* name = "resources";
  int device;
  std::shared_ptr<Device const> host, cuda;  ///< cuda: null until a mode needs it
};

template <class T>
struct InMode {
  AMGX_Mode mode;
  std::shared_ptr<T> object;
};
struct MatrixObject : InMode<Matrix> {
  static constexpr char const* name = "matrix";
};
struct VectorObject : InMode<Vector> {
  static constexpr char const* name = "vector";
};
struct SolverObject : InMode<Solver> {
  static constexpr char const* name = "solver";
  Plan plan;
  bool was_set_up = false, has_solved = false;
  Solve last{};
};

using Object = std::variant<Configuration, Resources, MatrixObject, VectorObject, SolverObject>;

Configuration& object_of(AMGX_config_handle);
Resources& object_of(AMGX_resources_handle);
MatrixObject& object_of(AMGX_matrix_handle);
VectorObject& object_of(AMGX_vector_handle);
SolverObject& object_of(AMGX_solver_handle);
template <class Handle>
using ObjectOf = std::remove_reference_t<decltype(object_of(Handle{}))>;

/// All objects. A handle is a number that never names another object, so a destroyed one is recognised.
struct Library {
  std::recursive_mutex mutex;
  bool busy = false;  ///< with a call of the thread that has the mutex
  bool initialised = false;
  std::uintptr_t last_handle = 0;
  std::map<std::uintptr_t, Object> objects;
  AMGX_print_callback callback = nullptr;
  std::set<std::string> warnings;  ///< that were printed
};

/// Never destroyed, because at the end of the process the device's driver may be gone.
inline Library& library() {
  static auto& only = *new Library;
  return only;
}

/// The last failure of this thread.
inline thread_local AMGX_RC last_code = AMGX_RC_OK;
inline thread_local char last_text[2048] = "";

inline AMGX_RC failed(AMGX_RC code, char const* function, char const* text) noexcept {
  last_code = code;
  std::snprintf(last_text, sizeof last_text, "%s: %s", function, text);
  return code;
}

enum class Needs { nothing, initialisation };

template <class Work>
AMGX_RC guarded(char const* function, Work const& work, Needs needs = Needs::initialisation) noexcept {
  try {
    Library& all = library();
    std::lock_guard const lock(all.mutex);
    require(!all.busy, AMGX_RC_BAD_PARAMETERS, "a print callback called the library, which waits for it");
    struct Busy {
      bool& flag;
      explicit Busy(bool& of) : flag(of) { flag = true; }
      Busy(Busy const&) = delete;
      Busy& operator=(Busy const&) = delete;
      ~Busy() { flag = false; }
    } const busy(all.busy);
    require(needs == Needs::nothing || all.initialised, AMGX_RC_BAD_PARAMETERS,
            "the library is not initialised; call AMGX_initialize first");
    work();
    return AMGX_RC_OK;
  } catch (Refusal const& error) {
    return failed(error.code, function, error.what());
  } catch (core::InvalidInput const& error) {
    return failed(AMGX_RC_BAD_PARAMETERS, function, error.what());
  } catch (core::NumericalError const& error) {
    return failed(AMGX_RC_CORE, function, error.what());
  } catch (core::Unavailable const& error) {
    return failed(AMGX_RC_NOT_SUPPORTED_TARGET, function, error.what());
  } catch (core::OutOfMemory const& error) {
    return failed(AMGX_RC_NO_MEMORY, function, error.what());
  } catch (std::bad_alloc const&) {
    return failed(AMGX_RC_NO_MEMORY, function, "out of host memory");
  } catch (std::exception const& error) {
    return failed(AMGX_RC_INTERNAL, function, error.what());
  } catch (...) {
    return failed(AMGX_RC_UNKNOWN, function, "an exception of unknown type");
  }
}

inline void print(std::string const& text, std::FILE* stream) {
  if (library().callback != nullptr) {
    library().callback(text.c_str(), static_cast<int>(text.size()));
  } else {
    std::fputs(text.c_str(), stream);
    std::fflush(stream);
  }
}

inline void warn_once(std::string const& text) {
  if (library().warnings.insert(text).second) print("Tessera: " + text + "\n", stderr);
}

template <class T>
void require_pointer(T const* pointer, char const* name) {
  require(pointer != nullptr, AMGX_RC_BAD_PARAMETERS, name, " is a null pointer");
}

template <class Handle>
std::uintptr_t number_of(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

template <class Handle>
ObjectOf<Handle>& at(Handle handle) {
  using Wanted = ObjectOf<Handle>;
  require(handle != nullptr, AMGX_RC_BAD_PARAMETERS, "the handle of the ", Wanted::name, " is null");
  auto const found = library().objects.find(number_of(handle));
  require(found != library().objects.end(), AMGX_RC_BAD_PARAMETERS, "the handle of the ", Wanted::name,
          " is none of this library, or was destroyed");
  auto* const object = std::get_if<Wanted>(&found->second);
  require(object != nullptr, AMGX_RC_BAD_PARAMETERS, "a handle of the ",
          std::visit([](auto const& other) { return other.name; }, found->second), " was given for the ",
          Wanted::name);
  return *object;
}

template <class Handle>
void store(Handle* handle, ObjectOf<Handle> object) {
  constexpr std::uintptr_t step = 16;  // as far apart as pointers
  auto const number = library().last_handle + step;
  library().objects.emplace(number, std::move(object));
  library().last_handle = number;
  *handle = reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr): a number by design
}

template <class Handle>
AMGX_RC destroy(char const* function, Handle handle) noexcept {
  return guarded(function, [&] {
    at(handle);
    library().objects.erase(number_of(handle));
  });
}

}  // namespace Tessera::amgx
