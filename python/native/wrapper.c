// SPDX-License-Identifier: Apache-2.0
// Wrapper(kind, function, callback): a callable in the place of a framework's function. It looks
// like the function (every attribute that it lacks is the function's), binds like one, and calls
// it: "wait" times it as a wait for data, "step" counts an optimizer's step when the outermost call
// has succeeded, "after" calls the callback with whether it succeeded. Next: agent_module.c.
#include "module.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

enum Kind { kWait, kStep, kAfter };

struct Wrapper {
  PyObject_HEAD PyObject* function;
  PyObject* callback;
  PyObject* weak;
  enum Kind kind;
};

static PyObject* method_type;    // types.MethodType, which the stable ABI does not name
static __thread int step_depth;  // steps that call others, as a subclass calls its base

static int Traverse(PyObject* self, visitproc visit, void* arg) {
  struct Wrapper* wrapper = (struct Wrapper*)self;
  Py_VISIT(wrapper->function);
  Py_VISIT(wrapper->callback);
  Py_VISIT(Py_TYPE(self));
  return 0;
}

static int Clear(PyObject* self) {
  struct Wrapper* wrapper = (struct Wrapper*)self;
  Py_CLEAR(wrapper->function);
  Py_CLEAR(wrapper->callback);
  return 0;
}

static void Dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (((struct Wrapper*)self)->weak != NULL) PyObject_ClearWeakRefs(self);
  Clear(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

static PyObject* New(PyTypeObject* type, PyObject* args, PyObject* keywords) {
  const char* kind;
  PyObject *function, *callback = NULL;
  if (keywords != NULL && PyDict_Size(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "no keywords");
    return NULL;
  }
  if (!PyArg_ParseTuple(args, "sO|O", &kind, &function, &callback)) return NULL;
  struct Wrapper* self = (struct Wrapper*)PyType_GenericAlloc(type, 0);
  if (self == NULL) return NULL;
  self->kind = strcmp(kind, "wait") == 0 ? kWait : strcmp(kind, "step") == 0 ? kStep : kAfter;
  Py_INCREF(function);
  Py_XINCREF(callback);
  self->function = function;
  self->callback = callback;
  return (PyObject*)self;
}

static PyObject* Call(PyObject* object, PyObject* args, PyObject* keywords) {
  struct Wrapper* self = (struct Wrapper*)object;
  PyObject* function = self->function;
  PyObject* result = NULL;
  Py_INCREF(object);  // an "after" may remove itself
  switch (self->kind) {
    case kWait:
      WaitBegins();
      result = PyObject_Call(function, args, keywords);
      WaitEnds();
      break;
    case kStep:
      step_depth++;
      result = PyObject_Call(function, args, keywords);
      step_depth--;
      if (result != NULL && step_depth == 0 && PyTuple_Size(args) > 0) {
        CountOptimizerStep(PyTuple_GetItem(args, 0));
      }
      break;
    case kAfter:
      result = PyObject_Call(function, args, keywords);
      CallQuietly(self->callback, result != NULL ? Py_True : Py_False);
      break;
  }
  Py_DECREF(object);
  return result;
}

static PyObject* Bind(PyObject* self, PyObject* instance, PyObject* type) {
  (void)type;
  if (instance == NULL || instance == Py_None || method_type == NULL) {
    Py_INCREF(self);
    return self;
  }
  return PyObject_CallFunctionObjArgs(method_type, self, instance, NULL);
}

static PyObject* GetAttribute(PyObject* self, PyObject* name) {
  PyObject* own = PyObject_GenericGetAttr(self, name);
  if (own != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError)) return own;
  PyErr_Clear();
  return PyObject_GetAttr(((struct Wrapper*)self)->function, name);
}

static int SetAttribute(PyObject* self, PyObject* name, PyObject* value) {
  return PyObject_SetAttr(((struct Wrapper*)self)->function, name, value);
}

static PyObject* OfFunction(PyObject* self, void* name) {
  return PyObject_GetAttrString(((struct Wrapper*)self)->function, name);
}

static PyMemberDef members[] = {
    {"__wrapped__", T_OBJECT, offsetof(struct Wrapper, function), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(struct Wrapper, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};

// A type has these itself, so they would not come from the function.
static PyGetSetDef getters[] = {{"__doc__", OfFunction, NULL, NULL, "__doc__"},
                                {"__module__", OfFunction, NULL, NULL, "__module__"},
                                {"__dict__", OfFunction, NULL, NULL, "__dict__"},
                                {NULL, NULL, NULL, NULL, NULL}};

// Python's tables hold functions as void pointers.
#pragma GCC diagnostic ignored "-Wpedantic"
static PyType_Slot slots[] = {{Py_tp_new, New},
                              {Py_tp_call, Call},
                              {Py_tp_traverse, Traverse},
                              {Py_tp_clear, Clear},
                              {Py_tp_dealloc, Dealloc},
                              {Py_tp_descr_get, Bind},
                              {Py_tp_getattro, GetAttribute},
                              {Py_tp_setattro, SetAttribute},
                              {Py_tp_members, members},
                              {Py_tp_getset, getters},
                              {0, NULL}};

static PyType_Spec spec = {"gpusight._agent.Wrapper", sizeof(struct Wrapper), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

int AddWrapper(PyObject* module) {
  PyObject* type = PyType_FromSpec(&spec);
  if (type == NULL) return -1;
  if (PyModule_AddObject(module, "Wrapper", type) == 0) return 0;
  Py_DECREF(type);
  return -1;
}

PyObject* SetMethodType(PyObject* self, PyObject* type) {
  (void)self;
  Py_INCREF(type);
  method_type = type;
  Py_RETURN_NONE;
}
