// SPDX-License-Identifier: Apache-2.0
// What the files of gpusight._agent share. Next: agent_module.c, thread.c, quiet.c, wrapper.c.
#pragma once

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03090000
#endif
#include <Python.h>

#include "agent/agent.h"

// Calls, keeps whatever exception is set, and swallows those of the call. NULL and None do nothing.
void CallQuietly(PyObject* callable, PyObject* argument);

// Nanoseconds by a clock that nobody sets.
uint64_t Monotonic(void);

void CountOptimizerStep(PyObject* optimizer);
void WaitBegins(void);
void WaitEnds(void);

// Adds the type Wrapper to the module; 0 when all is well.
int AddWrapper(PyObject* module);
PyObject* SetMethodType(PyObject* self, PyObject* type);

// In a thread of ours, around what runs Python: no collection begins in between. Loud() is given
// what Quiet() gave.
PyObject* Quiet(void);
void Loud(PyObject* before);

// The functions of thread.c and quiet.c.
extern PyMethodDef thread_methods[], quiet_methods[];
