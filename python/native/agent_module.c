// SPDX-License-Identifier: Apache-2.0
// The module gpusight._agent: the telemetry page's writer for Python, in the stable ABI of 3.9.
// What runs once a step is here, and so are the callables that stand before a framework's own
// functions: written in C, they leave no line in anybody's traceback. Everything here is called
// with the interpreter's lock held unless it says so. Next: thread.c, wrapper.c,
// ../gpusight/_recorder.py.
#include "module.h"

#include <string.h>

static struct gpusight_agent* agent;
static PyObject* opener;     // called once when a step finds no page
static PyObject* on_leader;  // called with an optimizer when its steps begin to count

// --- Steps ----------------------------------------------------------------------------------

// A step is one of the leading optimizer: with several in one iteration (a GAN, one optimizer per
// parameter) only one of them counts. Another takes the lead when it is silent for long.
static struct {
  const void* who;
  uint64_t last, interval;  // nanoseconds
  int by_hand;              // the program counts itself, by gpusight.step()
} lead;
static unsigned long training_thread;  // that of the newest step; 0: none yet

static uint64_t Patience(void) {
  if (lead.interval == 0) return 10000000000u;
  return lead.interval * 8 > 2000000000u ? lead.interval * 8 : 2000000000u;
}

static int Leads(PyObject* optimizer) {
  const uint64_t now = Monotonic();
  if (lead.who == optimizer) {
    const uint64_t interval = now - lead.last;
    lead.interval = interval > lead.interval ? interval : lead.interval - lead.interval / 8;
  } else if (lead.who != NULL && now - lead.last < Patience()) {
    return 0;
  } else {
    lead.who = optimizer;
    lead.interval = 0;
    CallQuietly(on_leader, optimizer);
  }
  lead.last = now;
  return 1;
}

static void Step(void) {
  if (!gpusight_is_open(agent) && opener != NULL) {
    PyObject* once = opener;
    opener = NULL;
    CallQuietly(once, NULL);
    Py_DECREF(once);
  }
  training_thread = PyThread_get_thread_ident();
  gpusight_step(agent);
}

void CountOptimizerStep(PyObject* optimizer) {
  if (!lead.by_hand && Leads(optimizer)) Step();
}

static PyObject* PyStep(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  lead.by_hand = 1;
  Step();
  Py_RETURN_NONE;
}

static PyObject* PyOptimizerStep(PyObject* self, PyObject* optimizer) {
  (void)self;
  CountOptimizerStep(optimizer);
  Py_RETURN_NONE;
}

// --- Waits ----------------------------------------------------------------------------------

// A thread that only fetches ahead is no wait of the training loop's.
void WaitBegins(void) {
  if (training_thread == 0 || training_thread == PyThread_get_thread_ident()) {
    gpusight_wait_begin(agent);
  }
}
void WaitEnds(void) { gpusight_wait_end(agent); }

static PyObject* PyWaitBegin(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  WaitBegins();
  Py_RETURN_NONE;
}
static PyObject* PyWaitEnd(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  WaitEnds();
  Py_RETURN_NONE;
}

void CallQuietly(PyObject* callable, PyObject* argument) {
  if (callable == NULL || callable == Py_None) return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyObject* result = PyObject_CallFunctionObjArgs(callable, argument, NULL);
  if (result == NULL) PyErr_Clear();
  Py_XDECREF(result);
  PyErr_Restore(type, value, trace);
}

// --- The page -------------------------------------------------------------------------------

static PyObject* Name(enum gpusight_status status) {
  return PyUnicode_FromString(gpusight_status_name(status));
}

static PyObject* PyOpen(PyObject* self, PyObject* args) {
  (void)self;
  const char* writer;
  if (!PyArg_ParseTuple(args, "s", &writer)) return NULL;
  if (gpusight_is_open(agent)) return Name(GPUSIGHT_OK);
  gpusight_close(agent);  // a parent's, or none
  enum gpusight_status status;
  agent = gpusight_open(writer, &status);
  return Name(status);
}

static PyObject* PyClose(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  struct gpusight_agent* old = agent;
  agent = NULL;
  return Name(gpusight_close(old));
}

static PyObject* PyIsOpen(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  return PyBool_FromLong(gpusight_is_open(agent));
}

static PyObject* PyPath(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  return PyUnicode_DecodeFSDefault(gpusight_path(agent));
}

// In a child: what was counted was the parent's.
static PyObject* PyForget(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  memset(&lead, 0, sizeof lead);
  training_thread = 0;
  Py_RETURN_NONE;
}

static PyObject* PyOnOpen(PyObject* self, PyObject* callable) {
  (void)self;
  PyObject* old = opener;
  Py_INCREF(callable);
  opener = callable;
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

static PyObject* PyOnLeader(PyObject* self, PyObject* callable) {
  (void)self;
  PyObject* old = on_leader;
  Py_INCREF(callable);
  on_leader = callable;
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

static PyObject* PyIdentify(PyObject* self, PyObject* args) {
  (void)self;
  struct gpusight_identity id;
  memset(&id, 0, sizeof id);
  if (!PyArg_ParseTuple(args, "ssssssiiiii", &id.framework, &id.framework_version,
                        &id.python_version, &id.dtype, &id.script, &id.settings, &id.rank,
                        &id.local_rank, &id.world_size, &id.mixed_precision, &id.compiled)) {
    return NULL;
  }
  return Name(gpusight_identify(agent, &id));
}

// None, and whatever is no such number, is unknown.
static uint64_t Number(PyObject* value) {
  if (value == NULL || value == Py_None) return GPUSIGHT_UNKNOWN;
  const unsigned long long number = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return GPUSIGHT_UNKNOWN;
  }
  return number;
}

static PyObject* PyMemory(PyObject* self, PyObject* args) {
  (void)self;
  struct gpusight_allocator to;
  PyObject *allocated, *allocated_peak, *reserved, *reserved_peak, *active, *inactive_split,
      *requested, *limit, *retries, *ooms;
  if (!PyArg_ParseTuple(args, "isOOOOOOOOOO", &to.ordinal, &to.uuid, &allocated, &allocated_peak,
                        &reserved, &reserved_peak, &active, &inactive_split, &requested, &limit,
                        &retries, &ooms)) {
    return NULL;
  }
  to.allocated = Number(allocated);
  to.allocated_peak = Number(allocated_peak);
  to.reserved = Number(reserved);
  to.reserved_peak = Number(reserved_peak);
  to.active = Number(active);
  to.inactive_split = Number(inactive_split);
  to.requested = Number(requested);
  to.limit = Number(limit);
  to.retries = Number(retries);
  to.out_of_memory = Number(ooms);
  return Name(gpusight_memory(agent, &to));
}

static PyObject* PyOutOfMemory(PyObject* self, PyObject* args) {
  (void)self;
  struct gpusight_oom oom;
  unsigned long long requested, total, free, allocated, reserved, active, inactive_split;
  if (!PyArg_ParseTuple(args, "iKKKKKKKs", &oom.ordinal, &requested, &total, &free, &allocated,
                        &reserved, &active, &inactive_split, &oom.stack)) {
    return NULL;
  }
  oom.requested = requested;
  oom.total = total;
  oom.free = free;
  oom.allocated = allocated;
  oom.reserved = reserved;
  oom.active = active;
  oom.inactive_split = inactive_split;
  return Name(gpusight_out_of_memory(agent, &oom));
}

static PyObject* PyMark(PyObject* self, PyObject* args) {
  (void)self;
  const char *type, *text;
  double value = 0;
  if (!PyArg_ParseTuple(args, "ss|d", &type, &text, &value)) return NULL;
  if (strcmp(type, "phase") == 0) return Name(gpusight_phase(agent, text));
  if (strcmp(type, "checkpoint") == 0) return Name(gpusight_checkpoint(agent, value, text));
  if (strcmp(type, "exception") == 0) return Name(gpusight_exception(agent, text));
  if (strcmp(type, "metric") == 0) return Name(gpusight_metric(agent, text, value));
  return Name(gpusight_note(agent, text));
}

static PyObject* PyStack(PyObject* self, PyObject* args) {
  (void)self;
  const char* text;
  if (!PyArg_ParseTuple(args, "s", &text)) return NULL;
  return PyLong_FromUnsignedLongLong(gpusight_stack(agent, text));
}

static PyObject* PySample(PyObject* self, PyObject* args) {
  (void)self;
  unsigned long long stack, time;
  if (!PyArg_ParseTuple(args, "KK", &stack, &time)) return NULL;
  return PyBool_FromLong(gpusight_sample(agent, stack, time) == GPUSIGHT_OK);
}

static PyObject* PyTrainingThread(PyObject* self, PyObject* ignored) {
  (void)self, (void)ignored;
  return PyLong_FromUnsignedLong(training_thread);
}

static PyMethodDef methods[] = {{"method_type", SetMethodType, METH_O, NULL},
                                {"open", PyOpen, METH_VARARGS, NULL},
                                {"close", PyClose, METH_NOARGS, NULL},
                                {"is_open", PyIsOpen, METH_NOARGS, NULL},
                                {"path", PyPath, METH_NOARGS, NULL},
                                {"forget", PyForget, METH_NOARGS, NULL},
                                {"on_open", PyOnOpen, METH_O, NULL},
                                {"on_leader", PyOnLeader, METH_O, NULL},
                                {"identify", PyIdentify, METH_VARARGS, NULL},
                                {"memory", PyMemory, METH_VARARGS, NULL},
                                {"out_of_memory", PyOutOfMemory, METH_VARARGS, NULL},
                                {"mark", PyMark, METH_VARARGS, NULL},
                                {"stack", PyStack, METH_VARARGS, NULL},
                                {"sample", PySample, METH_VARARGS, NULL},
                                {"step", PyStep, METH_NOARGS, NULL},
                                {"optimizer_step", PyOptimizerStep, METH_O, NULL},
                                {"wait_begin", PyWaitBegin, METH_NOARGS, NULL},
                                {"wait_end", PyWaitEnd, METH_NOARGS, NULL},
                                {"training_thread", PyTrainingThread, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "gpusight._agent",
                                        "The telemetry page's writer.",
                                        -1,
                                        methods,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__agent(void);
PyMODINIT_FUNC PyInit__agent(void) {
  PyObject* module = PyModule_Create(&definition);
  if (module != NULL &&
      (AddWrapper(module) != 0 || PyModule_AddFunctions(module, thread_methods) != 0 ||
       PyModule_AddFunctions(module, quiet_methods) != 0)) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
