#include "python/bindings/interpreter.h"

namespace paretofl::python {
namespace {

class ThreadState {
 public:
  ThreadState() {
    if (PyGILState_GetThisThreadState() != nullptr) return;  // a thread of Python's own
    handle_ = PyGILState_Ensure();
    PyEval_SaveThread();
    made_ = true;
  }
  ~ThreadState() {
    if (!made_ || Py_IsInitialized() == 0) return;
    PyEval_RestoreThread(PyGILState_GetThisThreadState());
    // First what threading.local keeps, while the state is whole: Python before 3.12.4 crashes where the destruction of such an object
    // takes the lock again (CPython issue 119585).
    if (PyObject* kept = PyThreadState_GetDict()) PyDict_Clear(kept);
    PyGILState_Release(handle_);
  }
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

 private:
  PyGILState_STATE handle_{};
  bool made_ = false;
};

}  // namespace

void keep_thread_state() { thread_local const ThreadState state; }

}  // namespace paretofl::python
