// SPDX-License-Identifier: GPL-2.0-or-later
/* What epitaph_ring takes of <epitaph-ring.h>; the package packs the events. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <epitaph-ring.h>

#define TYPE	"epitaph_ring.type"

static PyObject *refused(void)
{
	PyObject *args = Py_BuildValue("(is)", errno, epitaph_ring_error());

	if (args)
		PyErr_SetObject(PyExc_OSError, args);
	Py_XDECREF(args);
	return NULL;
}

static PyObject *python_open(PyObject *self, PyObject *name)
{
	const char *text = PyUnicode_AsUTF8AndSize(name, NULL);

	(void)self;
	if (!text)
		return NULL;
	if (epitaph_ring_open(text))
		return refused();
	Py_RETURN_NONE;
}

static PyObject *python_text(PyObject *self, PyObject *args)
{
	const char *text;
	Py_ssize_t size;
	unsigned int level;

	(void)self;
	if (!PyArg_ParseTuple(args, "Is#", &level, &text, &size))
		return NULL;
	epitaph_ring_text(level, text, size);
	Py_RETURN_NONE;
}

/* A tuple (type, name, offset, size, element, is signed). */
static int take_field(PyObject *tuple, struct epitaph_type_field *field)
{
	const char *type, *name;
	int is_signed;

	if (!PyArg_ParseTuple(tuple, "ssHHHp", &type, &name, &field->offset, &field->size, &field->count,
			      &is_signed))
		return -1;
	field->is_signed = is_signed;
	field->type = strdup(type);
	field->name = strdup(name);
	if (!field->type || !field->name) {
		PyErr_NoMemory();
		return -1;
	}
	return 0;
}

/* A kind of event stays as long as the process: events of it may be in rings of other threads. */
static PyObject *python_type(PyObject *self, PyObject *args)
{
	struct epitaph_type_field *fields;
	struct epitaph_type *type;
	const char *name;
	PyObject *list;
	Py_ssize_t n, i;

	(void)self;
	if (!PyArg_ParseTuple(args, "sO!", &name, &PyTuple_Type, &list))
		return NULL;
	n = PyTuple_Size(list);
	type = calloc(1, sizeof(*type));
	fields = calloc(n + 1, sizeof(*fields));
	if (!type || !fields)
		return PyErr_NoMemory();
	for (i = 0; i < n; i++) {
		if (take_field(PyTuple_GetItem(list, i), &fields[i]))
			return NULL;
		if (epitaph_is_behind(&fields[i]))
			type->varies = true;
	}
	type->id = EPITAPH_NEW_TYPE;
	type->name = strdup(name);
	type->fields = fields;
	type->nr_fields = n;
	return type->name ? PyCapsule_New(type, TYPE, NULL) : PyErr_NoMemory();
}

static PyObject *python_write(PyObject *self, PyObject *args)
{
	struct epitaph_type *type;
	PyObject *capsule;
	const char *payload;
	Py_ssize_t size;

	(void)self;
	if (!PyArg_ParseTuple(args, "Oy#", &capsule, &payload, &size))
		return NULL;
	type = PyCapsule_GetPointer(capsule, TYPE);
	if (!type)
		return NULL;
	epitaph_write(type, payload, size, type->varies);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{ "open", python_open, METH_O, NULL },
	{ "text", python_text, METH_VARARGS, NULL },
	{ "type", python_type, METH_VARARGS, NULL },
	{ "write", python_write, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef module = {
	.m_base = PyModuleDef_HEAD_INIT, .m_name = "epitaph_ring._ring", .m_size = -1, .m_methods = methods,
};

PyMODINIT_FUNC PyInit__ring(void)
{
	return PyModule_Create(&module);
}
