// SPDX-License-Identifier: Apache-2.0
// What gpusight._agent has for the recorder's thread: its loop with a wait that can be ended, a
// start without signals, an end that the kernel agrees with, and questions that only the main
// thread can answer. Next: quiet.c, ../gpusight/_recorder.py.
#include "module.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t Monotonic(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static pthread_mutex_t alarm_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t alarm_rings;
static int woken;

static PyObject* PyResetAlarm(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&alarm_lock, NULL);  // a child has those of a thread that it has not
  pthread_cond_init(&alarm_rings, &attributes);
  pthread_condattr_destroy(&attributes);
  woken = 0;
  Py_RETURN_NONE;
}

static void WaitUntil(uint64_t until) {
  const struct timespec time = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
  Py_BEGIN_ALLOW_THREADS;
  pthread_mutex_lock(&alarm_lock);
  while (!woken && pthread_cond_timedwait(&alarm_rings, &alarm_lock, &time) == 0) continue;
  pthread_mutex_unlock(&alarm_lock);
  Py_END_ALLOW_THREADS;
}

// loop(tick): the thread. tick() -> monotonic nanoseconds of the next, or None: it was the last.
static PyObject* PyLoop(PyObject* self, PyObject* tick) {
  (void)self;
  while (1) {
    PyObject* before = Quiet();
    PyObject* next = PyObject_CallObject(tick, NULL);
    const uint64_t due = next != NULL && next != Py_None ? PyLong_AsUnsignedLongLong(next) : 0;
    Py_XDECREF(next);
    if (PyErr_Occurred()) PyErr_Clear();
    Loud(before);
    if (due == 0 || due == (uint64_t)-1) break;
    WaitUntil(due);
  }
  Py_RETURN_NONE;
}

static PyObject* PyWake(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  pthread_mutex_lock(&alarm_lock);
  woken = 1;
  pthread_cond_broadcast(&alarm_rings);
  pthread_mutex_unlock(&alarm_lock);
  Py_RETURN_NONE;
}

// The thread takes no signal that is meant for the program, as if it were not there. `args` are
// start_new_thread, the thread's function in C, and that one's arguments.
static PyObject* StartWithoutSignals(PyObject* args) {
  sigset_t all, before;
  sigfillset(&all);
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  PyObject* result = PyObject_CallFunctionObjArgs(
      PyTuple_GetItem(args, 0), PyTuple_GetItem(args, 1), PyTuple_GetItem(args, 2), NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

static int AreThree(PyObject* args) {
  if (PyTuple_Size(args) == 3) return 1;
  PyErr_SetString(PyExc_TypeError, "start_new_thread, a function and its arguments");
  return 0;
}

// start_thread(start_new_thread, function, arguments)
static PyObject* PyStartThread(PyObject* self, PyObject* args) {
  (void)self;
  return AreThree(args) ? StartWithoutSignals(args) : NULL;
}

static PyObject* to_start;      // what start_thread_soon() was given, until it is done
static const void* forking;     // the frame that called os.fork, NULL: nobody's
static uint64_t start_at_last;  // though that frame was not seen to go on

// Whether os.fork has not returned: somebody that it calls runs, or was called by. The frame is not
// kept, for its objects are the program's: where it is gone and another has its place, it is over
// too.
static int Forks(void) {
  PyObject* frame = (PyObject*)PyEval_GetFrame();
  if (forking == NULL || frame == NULL || frame == forking || Monotonic() > start_at_last) return 0;
  Py_INCREF(frame);
  int found = 0;
  while (frame != NULL && frame != Py_None && !(found = frame == forking)) {
    PyObject* back = PyObject_GetAttrString(frame, "f_back");
    Py_DECREF(frame);
    frame = back;
  }
  Py_XDECREF(frame);
  PyErr_Clear();
  return found;
}

static int StartNow(void* ignored) {
  (void)ignored;
  if (to_start != NULL && Forks() && Py_AddPendingCall(StartNow, NULL) == 0) return 0;
  PyObject* args = to_start;
  to_start = NULL;
  if (args == NULL) return 0;
  PyObject* result = StartWithoutSignals(args);
  if (result == NULL) PyErr_Clear();
  Py_XDECREF(result);
  Py_DECREF(args);
  return 0;
}

// The same once the frame goes on that called os.fork, of which a handler of the fork calls this:
// Python 3.13 looks for threads, to warn of them, only after all handlers of a fork's parent.
static PyObject* PyStartThreadAfterFork(PyObject* self, PyObject* args) {
  (void)self;
  if (!AreThree(args)) return NULL;
  if (to_start != NULL) Py_RETURN_FALSE;
  // The recorder's own frames, then the one in which os.fork was called.
  forking = NULL;
  PyObject* frame = (PyObject*)PyEval_GetFrame();
  Py_XINCREF(frame);
  for (int i = 0; i < 2 && frame != NULL && frame != Py_None; i++) {
    PyObject* back = PyObject_GetAttrString(frame, "f_back");
    Py_DECREF(frame);
    frame = back;
  }
  if (frame != NULL && frame != Py_None) forking = frame;
  Py_XDECREF(frame);
  PyErr_Clear();
  Py_INCREF(args);
  to_start = args;
  start_at_last = Monotonic() + 100000000;
  if (Py_AddPendingCall(StartNow, NULL) == 0) Py_RETURN_TRUE;
  to_start = NULL;
  Py_DECREF(args);
  Py_RETURN_FALSE;
}

// Whether it had not started yet; then it does not.
static PyObject* PyCancelStart(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  PyObject* args = to_start;
  to_start = NULL;
  Py_XDECREF(args);
  return PyBool_FromLong(args != NULL);
}

// Threads of this process as the kernel counts them: field 20 of its stat. 0: not known.
static long Threads(void) {
  char text[1024];
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = 0;
  const char* field = strrchr(text, ')');  // the name may hold anything
  for (int number = 2; field != NULL && number < 20; number++) field = strchr(field + 1, ' ');
  return field == NULL ? 0 : strtol(field + 1, NULL, 10);
}

static PyObject* PyThreads(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  return PyLong_FromLong(Threads());
}

// gone(thread id, count of threads with it, nanoseconds): waits until the kernel has no such thread
// of ours any more, and counts it no more either, which on Linux 6.18 comes later. Whoever forks
// next would else be told that it has threads.
static PyObject* PyGone(PyObject* self, PyObject* args) {
  (void)self;
  long thread, count;
  unsigned long long patience;
  if (!PyArg_ParseTuple(args, "llK", &thread, &count, &patience)) return NULL;
  char path[64];
  PyOS_snprintf(path, sizeof path, "/proc/self/task/%ld", thread);
  const struct timespec nap = {0, 20000};
  int gone = 0;
  Py_BEGIN_ALLOW_THREADS;
  uint64_t end = Monotonic() + patience;
  while (!(gone = access(path, F_OK) != 0) && Monotonic() < end) nanosleep(&nap, NULL);
  end = Monotonic() + 1000000;  // others may begin meanwhile
  while (gone && Threads() >= count && Monotonic() < end) nanosleep(&nap, NULL);
  Py_END_ALLOW_THREADS;
  return PyBool_FromLong(gone);
}

static PyObject* PyMonotonic(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  return PyLong_FromUnsignedLongLong(Monotonic());
}

static PyObject* PyNow(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return PyLong_FromUnsignedLongLong((uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec);
}

// --- Questions to the main thread -----------------------------------------------------------

// What a framework keeps for each thread (autocast) can be asked only by the thread itself. The
// interpreter makes the calls between two instructions of the main thread, so that all answers are
// of one moment; they must be functions in C, since one in Python would be seen by whoever watches
// frames (TorchDynamo).
static PyObject *questions, *answers;

static int Ask(void* ignored) {
  (void)ignored;
  PyObject* asked = questions;
  questions = NULL;
  if (asked == NULL) return 0;
  const Py_ssize_t count = PyTuple_Size(asked);
  PyObject* results = PyTuple_New(count);
  for (Py_ssize_t i = 0; results != NULL && i < count; i++) {
    PyObject* pair = PyTuple_GetItem(asked, i);
    PyObject* result = PyObject_CallObject(PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1));
    if (result == NULL) {
      Py_CLEAR(results);
    } else {
      PyTuple_SetItem(results, i, result);
    }
  }
  if (results == NULL) PyErr_Clear();
  PyObject* old = answers;
  answers = results;
  Py_XDECREF(old);
  Py_DECREF(asked);
  return 0;
}

static int ArePairs(PyObject* asked) {
  if (!PyTuple_Check(asked)) return 0;
  for (Py_ssize_t i = 0; i < PyTuple_Size(asked); i++) {
    PyObject* pair = PyTuple_GetItem(asked, i);
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) return 0;
  }
  return 1;
}

// ask(((function, arguments), ...)); the answers are there some time later.
static PyObject* PyAsk(PyObject* self, PyObject* asked) {
  (void)self;
  if (!ArePairs(asked)) {
    PyErr_SetString(PyExc_TypeError, "pairs are asked");
    return NULL;
  }
  if (questions != NULL) Py_RETURN_FALSE;
  Py_INCREF(asked);
  questions = asked;
  if (Py_AddPendingCall(Ask, NULL) != 0) {
    questions = NULL;
    Py_DECREF(asked);
    Py_RETURN_FALSE;
  }
  Py_RETURN_TRUE;
}

// The newest answers, once; None while there are none.
static PyObject* PyAnswer(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  PyObject* result = answers;
  answers = NULL;
  if (result == NULL) Py_RETURN_NONE;
  return result;
}

PyMethodDef thread_methods[] = {
    {"reset_alarm", PyResetAlarm, METH_NOARGS, NULL},
    {"loop", PyLoop, METH_O, NULL},
    {"wake", PyWake, METH_NOARGS, NULL},
    {"start_thread", PyStartThread, METH_VARARGS, NULL},
    {"start_thread_after_fork", PyStartThreadAfterFork, METH_VARARGS, NULL},
    {"cancel_start", PyCancelStart, METH_NOARGS, NULL},
    {"threads", PyThreads, METH_NOARGS, NULL},
    {"gone", PyGone, METH_VARARGS, NULL},
    {"monotonic", PyMonotonic, METH_NOARGS, NULL},
    {"now", PyNow, METH_NOARGS, NULL},
    {"ask", PyAsk, METH_O, NULL},
    {"answer", PyAnswer, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
