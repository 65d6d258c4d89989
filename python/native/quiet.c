// SPDX-License-Identifier: Apache-2.0
// What keeps the program's objects out of the recorder's thread. A collection that begins there
// would run the program's finalizers there, and a frame that it alone still holds would end with
// its objects there; the interpreter's end stops that thread wherever it is. So its Python runs
// between Quiet() and Loud(), with thresholds that no count reaches, and frames are read in one go
// that holds the interpreter's lock. Next: thread.c.
#include "module.h"

#include <string.h>

// --- Collections ----------------------------------------------------------------------------

// The program's own gc.disable() stays its own: only the thresholds are changed, and given back if
// nobody else has changed them meanwhile. Everything that the calls need was made before, by
// Prepare().
static struct {
  PyObject *is_enabled, *disable, *enable, *get_threshold, *set_threshold, *never;
} gc;

enum { kNever = 0x7ffffe00 };  // nobody else's

static PyObject* PyPrepareQuiet(PyObject* self, PyObject* module) {
  (void)self;
  if (gc.never != NULL) Py_RETURN_NONE;
  gc.is_enabled = PyObject_GetAttrString(module, "isenabled");
  gc.disable = PyObject_GetAttrString(module, "disable");
  gc.enable = PyObject_GetAttrString(module, "enable");
  gc.get_threshold = PyObject_GetAttrString(module, "get_threshold");
  gc.set_threshold = PyObject_GetAttrString(module, "set_threshold");
  if (PyErr_Occurred()) return NULL;
  gc.never = Py_BuildValue("iii", kNever, kNever, kNever);
  if (gc.never == NULL) return NULL;
  Py_RETURN_NONE;
}

static void Drop(PyObject* result) {
  if (result == NULL) PyErr_Clear();
  Py_XDECREF(result);
}

// No instruction of Python's runs in here, so no other thread does either, and between off and on
// nobody can see that it is off.
PyObject* Quiet(void) {
  if (gc.never == NULL) return NULL;
  PyObject* enabled = PyObject_CallObject(gc.is_enabled, NULL);
  if (enabled == Py_True) Drop(PyObject_CallObject(gc.disable, NULL));
  PyObject* before = PyObject_CallObject(gc.get_threshold, NULL);
  Drop(PyObject_CallObject(gc.set_threshold, gc.never));
  if (enabled == Py_True) Drop(PyObject_CallObject(gc.enable, NULL));
  Drop(enabled);
  if (before == NULL) PyErr_Clear();
  return before;
}

void Loud(PyObject* before) {
  if (before == NULL) return;
  PyObject* now = PyObject_CallObject(gc.get_threshold, NULL);
  PyObject* first = now != NULL ? PyTuple_GetItem(now, 0) : NULL;
  const long value = first != NULL ? PyLong_AsLong(first) : 0;
  Py_XDECREF(now);
  PyErr_Clear();
  if (value == kNever) Drop(PyObject_CallObject(gc.set_threshold, before));
  Py_DECREF(before);
}

// --- Frames ---------------------------------------------------------------------------------

enum { kDepth = 128, kDeepest = 1000 };  // innermost frames that tell stacks apart; that are told

struct Line {
  PyObject* code;
  long number;
};

static PyObject *name_code, *name_line, *name_back;

static int Names(void) {
  if (name_back != NULL) return 1;
  name_code = PyUnicode_InternFromString("f_code");
  name_line = PyUnicode_InternFromString("f_lineno");
  name_back = PyUnicode_InternFromString("f_back");
  return name_code != NULL && name_line != NULL && name_back != NULL;
}

// Reads frames from *frame on until `most` are in `lines`; *frame is then the next or NULL.
static Py_ssize_t Walk(PyObject** frame, struct Line* lines, Py_ssize_t depth, Py_ssize_t most) {
  while (*frame != NULL && *frame != Py_None && depth < most) {
    PyObject* code = PyObject_GetAttr(*frame, name_code);
    PyObject* line = code != NULL ? PyObject_GetAttr(*frame, name_line) : NULL;
    PyObject* back = line != NULL ? PyObject_GetAttr(*frame, name_back) : NULL;
    if (back != NULL) {
      lines[depth].code = code;
      lines[depth].number = line != Py_None ? PyLong_AsLong(line) : 0;
      depth++;
    } else {
      Py_XDECREF(code);
    }
    Py_XDECREF(line);
    Py_DECREF(*frame);
    *frame = back;
  }
  return depth;
}

static PyObject* Tell(PyObject* key, const struct Line* lines, Py_ssize_t depth) {
  PyObject* told = PyTuple_New(1 + 2 * depth);
  if (told == NULL) return NULL;
  Py_INCREF(key);
  PyTuple_SetItem(told, 0, key);
  for (Py_ssize_t i = 0; i < depth; i++) {
    Py_INCREF(lines[i].code);
    PyTuple_SetItem(told, 1 + 2 * i, lines[i].code);
    PyTuple_SetItem(told, 2 + 2 * i, PyLong_FromLong(lines[i].number));
  }
  return told;
}

// look(giver of the frames, thread, thread if that one is not there, known) -> the number that
// `known` has for the stack, or (key, code, line, code, line, ...) of one that it lacks, innermost
// first, or None. The key is made of addresses: it means this stack as long as somebody keeps its
// code.
static PyObject* PyLook(PyObject* self, PyObject* args) {
  (void)self;
  PyObject *give, *thread, *other, *known;
  if (!PyArg_ParseTuple(args, "OOOO", &give, &thread, &other, &known) || !Names()) return NULL;
  PyObject* frames = PyObject_CallObject(give, NULL);
  if (frames == NULL) return NULL;
  PyObject* frame = PyDict_GetItemWithError(frames, thread);
  if (frame == NULL && !PyErr_Occurred()) frame = PyDict_GetItemWithError(frames, other);
  Py_XINCREF(frame);
  Py_DECREF(frames);
  struct Line lines[kDeepest];
  memset(lines, 0, sizeof *lines * kDepth);
  Py_ssize_t depth = Walk(&frame, lines, 0, kDepth);
  PyObject* result = NULL;
  PyObject* key = NULL;
  if (!PyErr_Occurred()) {
    key = PyBytes_FromStringAndSize((const char*)lines, depth * (Py_ssize_t)sizeof *lines);
  }
  if (key != NULL && depth == 0) {
    result = Py_None;
  } else if (key != NULL) {
    result = PyDict_GetItemWithError(known, key);
  }
  Py_XINCREF(result);
  if (result == NULL && !PyErr_Occurred()) {
    depth = Walk(&frame, lines, depth, kDeepest);
    if (!PyErr_Occurred()) result = Tell(key, lines, depth);
  }
  Py_XDECREF(frame);
  Py_XDECREF(key);
  for (Py_ssize_t i = 0; i < depth; i++) Py_DECREF(lines[i].code);
  return result;
}

PyMethodDef quiet_methods[] = {{"prepare_quiet", PyPrepareQuiet, METH_O, NULL},
                               {"look", PyLook, METH_VARARGS, NULL},
                               {NULL, NULL, 0, NULL}};
