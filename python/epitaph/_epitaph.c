// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Python module: libepitaph's handles as objects, in Python's stable ABI.  It uses the public
 * header alone.  The type stubs, __init__.pyi, document each attribute.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <epitaph/epitaph.h>
#include <string.h>

/* What the module has once; a second interpreter would share it. */
static struct {
	PyObject *error;
	PyObject *epoch;		/* 1970-01-01 UTC, a datetime */
	PyObject *timedelta;
	PyTypeObject *dump, *generation, *walk, *item;
} module;

/*
 * @busy: calls that run without the GIL
 * @progress: the caller's, or NULL
 */
struct dump {
	PyObject_HEAD
	struct epitaph_dump *handle;
	PyObject *progress;
	int busy;
	int is_closed;
};

struct generation {
	PyObject_HEAD
	struct dump *dump;
	struct epitaph_generation *handle;
};

struct walk {
	PyObject_HEAD
	struct dump *dump;
	struct epitaph_walk *handle;
};

struct item {
	PyObject_HEAD
	const struct epitaph_item *handle;
};

/* --- garbage that refers to itself ----------------------------------------- */

/* A progress callback may have its dump: of an object, @visit sees the type and the other. */
#define VISIT_BOTH(self, other) do { \
	Py_VISIT(Py_TYPE(self)); \
	Py_VISIT((PyObject *)(other)); \
} while (0)

/* --- errors -------------------------------------------------------------- */

static void set_text(PyObject *object, const char *name, const char *text)
{
	PyObject *value = PyUnicode_DecodeUTF8(text, strlen(text), "replace");

	if (value)
		PyObject_SetAttrString(object, name, value);
	Py_XDECREF(value);
}

static void set_number(PyObject *object, const char *name, long number)
{
	PyObject *value = PyLong_FromLong(number);

	if (value)
		PyObject_SetAttrString(object, name, value);
	Py_XDECREF(value);
}

/* Raises epitaph.Error, unless a callback raised already; frees @error.  Return: NULL. */
static PyObject *raise_error(struct epitaph_error *error)
{
	PyObject *exception;

	if (!PyErr_Occurred()) {
		exception = PyObject_CallFunction(module.error, "s", epitaph_error_message(error));
		if (exception) {
			set_number(exception, "code", epitaph_error_code(error));
			set_number(exception, "errno", epitaph_error_errno(error));
			set_text(exception, "found", epitaph_error_found(error));
			set_text(exception, "where", epitaph_error_where(error));
			set_text(exception, "expected", epitaph_error_expected(error));
			set_text(exception, "advice", epitaph_error_advice(error));
			PyErr_SetObject(module.error, exception);
			Py_DECREF(exception);
		}
	}
	epitaph_error_free(error);
	return NULL;
}

/* A text of the dump: bytes that are no UTF-8 stay as surrogates. */
static PyObject *text_or_none(const char *text)
{
	if (!text)
		Py_RETURN_NONE;
	return PyUnicode_DecodeUTF8(text, strlen(text), "surrogateescape");
}

static PyObject *number_or_none(unsigned long long number, int is_known)
{
	if (!is_known)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(number);
}

/* datetime has microseconds; ns are cut. */
static PyObject *datetime_of(unsigned long long ns)
{
	PyObject *delta, *result;

	if (!ns)
		Py_RETURN_NONE;
	delta = PyObject_CallFunction(module.timedelta, "iKK", 0, ns / 1000000000,
				      ns % 1000000000 / 1000);
	if (!delta)
		return NULL;
	result = PyNumber_Add(module.epoch, delta);
	Py_DECREF(delta);
	return result;
}

/* --- items --------------------------------------------------------------- */

static void item_dealloc(struct item *self)
{
	PyTypeObject *type = Py_TYPE(self);

	epitaph_item_unref(self->handle);
	PyObject_Free(self);
	Py_DECREF(type);
}

static PyObject *item_kind(struct item *self, void *unused)
{
	(void)unused;
	switch (epitaph_item_kind(self->handle)) {
	case EPITAPH_EVENT:
		return PyUnicode_FromString("event");
	case EPITAPH_LOG:
		return PyUnicode_FromString("log");
	case EPITAPH_MACHINE_CHECK:
		return PyUnicode_FromString("machine_check");
	case EPITAPH_MARK:
		return PyUnicode_FromString("mark");
	case EPITAPH_LOSS:
		return PyUnicode_FromString("loss");
	case EPITAPH_CRASH:
		return PyUnicode_FromString("crash");
	default:
		return PyUnicode_FromString("other");
	}
}

#define ITEM_GETTER(name, value) \
	static PyObject *item_##name(struct item *self, void *unused) \
	{ \
		(void)unused; \
		return value; \
	}

ITEM_GETTER(name, text_or_none(epitaph_item_name(self->handle)))
ITEM_GETTER(channel, text_or_none(epitaph_item_channel(self->handle)))
ITEM_GETTER(comm, text_or_none(epitaph_item_comm(self->handle)))
ITEM_GETTER(time_ns, PyLong_FromUnsignedLongLong(epitaph_item_time(self->handle)))
ITEM_GETTER(before_end_ns, PyLong_FromLongLong(epitaph_item_before_end(self->handle)))
ITEM_GETTER(real_time_ns, number_or_none(epitaph_item_real_time(self->handle),
					 epitaph_item_real_time(self->handle) != 0))
ITEM_GETTER(datetime, datetime_of(epitaph_item_real_time(self->handle)))
ITEM_GETTER(cpu, number_or_none(epitaph_item_cpu(self->handle),
				epitaph_item_cpu(self->handle) != EPITAPH_CPU_UNKNOWN))
ITEM_GETTER(pid, number_or_none(epitaph_item_pid(self->handle), epitaph_item_pid(self->handle) >= 0))
ITEM_GETTER(nr_lost, PyLong_FromUnsignedLongLong(epitaph_item_nr_lost(self->handle)))

#define ITEM_FLAG(name, flag) ITEM_GETTER(name, \
	PyBool_FromLong(epitaph_item_flags(self->handle) & (flag)))

ITEM_FLAG(is_uncertain_order, EPITAPH_UNCERTAIN_ORDER)
ITEM_FLAG(is_damaged, EPITAPH_DAMAGED)
ITEM_FLAG(is_lost_before, EPITAPH_LOST_BEFORE)
ITEM_FLAG(is_uncommitted, EPITAPH_UNCOMMITTED)
ITEM_FLAG(is_repaired, EPITAPH_REPAIRED)

static PyObject *item_text(struct item *self, void *unused)
{
	size_t size;
	const char *text = epitaph_item_text(self->handle, &size);

	(void)unused;
	return PyUnicode_DecodeUTF8(text, size, "surrogateescape");
}

static PyObject *number_of(enum epitaph_field_kind kind, uint64_t value)
{
	if (kind == EPITAPH_FIELD_SIGNED || kind == EPITAPH_FIELD_SIGNED_ARRAY)
		return PyLong_FromLongLong((int64_t)value);
	return PyLong_FromUnsignedLongLong(value);
}

static PyObject *array_of(const struct epitaph_item *item, size_t i, enum epitaph_field_kind kind)
{
	PyObject *list = PyList_New(0);
	uint64_t value;

	for (size_t k = 0; list && epitaph_item_field_element(item, i, k, &value); k++) {
		PyObject *number = number_of(kind, value);

		if (!number || PyList_Append(list, number))
			Py_CLEAR(list);
		Py_XDECREF(number);
	}
	return list;
}

static PyObject *field_value(const struct epitaph_item *item, size_t i)
{
	enum epitaph_field_kind kind = epitaph_item_field_kind(item, i);
	const char *data;
	size_t size;

	switch (kind) {
	case EPITAPH_FIELD_UNSIGNED:
	case EPITAPH_FIELD_SIGNED:
		return number_of(kind, epitaph_item_field_number(item, i));
	case EPITAPH_FIELD_TEXT:
		data = epitaph_item_field_data(item, i, &size);
		return PyUnicode_DecodeUTF8(data, size, "surrogateescape");
	case EPITAPH_FIELD_UNSIGNED_ARRAY:
	case EPITAPH_FIELD_SIGNED_ARRAY:
		return array_of(item, i, kind);
	case EPITAPH_FIELD_BYTES:
		data = epitaph_item_field_data(item, i, &size);
		return PyBytes_FromStringAndSize(data, size);
	default:
		Py_RETURN_NONE;
	}
}

static PyObject *item_fields(struct item *self, void *unused)
{
	PyObject *dict = PyDict_New();
	size_t i, nr = epitaph_item_nr_fields(self->handle);

	(void)unused;
	for (i = 0; dict && i < nr; i++) {
		PyObject *key = text_or_none(epitaph_item_field_name(self->handle, i));
		PyObject *value = key ? field_value(self->handle, i) : NULL;

		if (!value || PyDict_SetItem(dict, key, value))
			Py_CLEAR(dict);
		Py_XDECREF(key);
		Py_XDECREF(value);
	}
	return dict;
}

/* The field called @name; NULL without an exception: there is none. */
static PyObject *find_field(struct item *self, PyObject *name)
{
	const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
	ssize_t i = text ? epitaph_item_find_field(self->handle, text) : -1;

	return i < 0 ? NULL : field_value(self->handle, i);
}

static PyObject *item_getattro(struct item *self, PyObject *name)
{
	PyObject *value = PyObject_GenericGetAttr((PyObject *)self, name), *field;
	PyObject *type, *exception, *trace;

	if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
		return value;
	PyErr_Fetch(&type, &exception, &trace);
	field = find_field(self, name);
	if (!field && !PyErr_Occurred()) {
		PyErr_Restore(type, exception, trace);
		return NULL;
	}
	Py_XDECREF(type);
	Py_XDECREF(exception);
	Py_XDECREF(trace);
	return field;
}

static PyObject *item_subscript(struct item *self, PyObject *key)
{
	PyObject *field = find_field(self, key);

	if (!field && !PyErr_Occurred())
		PyErr_SetObject(PyExc_KeyError, key);
	return field;
}

static PyObject *item_repr(struct item *self)
{
	return PyUnicode_FromFormat("<epitaph.Item %s at %lld ns before the end>",
				    epitaph_item_name(self->handle),
				    (long long)epitaph_item_before_end(self->handle));
}

#define GETTER(type, name) { #name, (getter)type##_##name, NULL, NULL, NULL }

static PyGetSetDef item_getset[] = {
	GETTER(item, kind), GETTER(item, name), GETTER(item, channel), GETTER(item, comm),
	GETTER(item, time_ns), GETTER(item, before_end_ns), GETTER(item, real_time_ns),
	GETTER(item, datetime), GETTER(item, cpu), GETTER(item, pid), GETTER(item, nr_lost),
	GETTER(item, is_uncertain_order), GETTER(item, is_damaged), GETTER(item, is_lost_before),
	GETTER(item, is_uncommitted), GETTER(item, is_repaired), GETTER(item, text), GETTER(item, fields),
	{ 0 },
};

static PyType_Slot item_slots[] = {
	{ Py_tp_dealloc, item_dealloc },
	{ Py_tp_getset, item_getset },
	{ Py_tp_getattro, item_getattro },
	{ Py_mp_subscript, item_subscript },
	{ Py_tp_repr, item_repr },
	{ Py_tp_doc, "Something that happened: an event, a log line, a machine check, a mark, a loss, "
		     "the crash.\n\nFields are attributes, and item[\"field\"] where a field has the "
		     "name of an attribute.  Times are in ns." },
	{ 0, NULL },
};

static PyType_Spec item_spec = {
	"epitaph.Item", sizeof(struct item), 0,
	Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, item_slots,
};

/* --- walks --------------------------------------------------------------- */

static int walk_traverse(struct walk *self, visitproc visit, void *arg)
{
	VISIT_BOTH(self, self->dump);
	return 0;
}

static void walk_dealloc(struct walk *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_GC_UnTrack(self);
	epitaph_walk_close(self->handle);
	Py_XDECREF(self->dump);
	PyObject_GC_Del(self);
	Py_DECREF(type);
}

static PyObject *walk_next(struct walk *self)
{
	struct epitaph_error *error = NULL;
	const struct epitaph_item *handle = epitaph_walk_next(self->handle, &error);
	struct item *item;

	if (error)
		return raise_error(error);
	if (!handle)
		return NULL;
	item = PyObject_New(struct item, module.item);
	if (item)
		item->handle = epitaph_item_ref(handle);
	return (PyObject *)item;
}

static PyType_Slot walk_slots[] = {
	{ Py_tp_dealloc, walk_dealloc },
	{ Py_tp_traverse, walk_traverse },
	{ Py_tp_iter, PyObject_SelfIter },
	{ Py_tp_iternext, walk_next },
	{ Py_tp_doc, "An iterator of items, oldest first." },
	{ 0, NULL },
};

static PyType_Spec walk_spec = {
	"epitaph.Walk", sizeof(struct walk), 0,
	Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, walk_slots,
};

/* --- generations --------------------------------------------------------- */

static int generation_traverse(struct generation *self, visitproc visit, void *arg)
{
	VISIT_BOTH(self, self->dump);
	return 0;
}

static void generation_dealloc(struct generation *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_GC_UnTrack(self);
	epitaph_generation_close(self->handle);
	Py_XDECREF(self->dump);
	PyObject_GC_Del(self);
	Py_DECREF(type);
}

static PyObject *open_walk(struct generation *self, uint32_t kinds, uint32_t flags, uint64_t last)
{
	struct epitaph_error *error = NULL;
	struct epitaph_walk *handle;
	struct walk *walk;

	self->dump->busy++;
	Py_BEGIN_ALLOW_THREADS
	handle = epitaph_walk_open(self->handle, kinds, flags, last, &error);
	Py_END_ALLOW_THREADS
	self->dump->busy--;
	if (!handle)
		return raise_error(error);
	walk = PyObject_GC_New(struct walk, module.walk);
	if (!walk) {
		epitaph_walk_close(handle);
		return NULL;
	}
	walk->handle = handle;
	walk->dump = self->dump;
	Py_INCREF(walk->dump);
	PyObject_GC_Track(walk);
	return (PyObject *)walk;
}

static PyObject *generation_iter(struct generation *self)
{
	return open_walk(self, EPITAPH_ALL_KINDS, 0, UINT64_MAX);
}

static PyObject *generation_walk(struct generation *self, PyObject *args, PyObject *keywords)
{
	static char *names[] = { "kinds", "last_ns", "damaged", "text", NULL };
	unsigned int kinds = EPITAPH_ALL_KINDS;
	unsigned long long last = UINT64_MAX;
	PyObject *last_object = Py_None;
	int damaged = 0, text = 0;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$IOpp", names, &kinds, &last_object,
					 &damaged, &text))
		return NULL;
	if (last_object != Py_None) {
		last = PyLong_AsUnsignedLongLong(last_object);
		if (PyErr_Occurred())
			return NULL;
	}
	return open_walk(self, kinds, (damaged ? EPITAPH_WALK_DAMAGED : 0) |
			 (text ? EPITAPH_WALK_TEXT : 0), last);
}

static PyObject *list_of(struct generation *self, uint32_t kinds)
{
	PyObject *walk = open_walk(self, kinds, 0, UINT64_MAX);
	PyObject *list = walk ? PySequence_List(walk) : NULL;

	Py_XDECREF(walk);
	return list;
}

#define GENERATION_GETTER(name, value) \
	static PyObject *generation_##name(struct generation *self, void *unused) \
	{ \
		(void)unused; \
		return value; \
	}

GENERATION_GETTER(number, PyLong_FromUnsignedLongLong(epitaph_generation_number(self->handle)))
GENERATION_GETTER(release, text_or_none(epitaph_generation_release(self->handle)))
GENERATION_GETTER(version, text_or_none(epitaph_generation_version(self->handle)))
GENERATION_GETTER(machine, text_or_none(epitaph_generation_machine(self->handle)))
GENERATION_GETTER(boot_id, text_or_none(epitaph_generation_boot_id(self->handle)))
GENERATION_GETTER(build_id, text_or_none(epitaph_generation_build_id(self->handle)))
GENERATION_GETTER(nr_cpus, PyLong_FromUnsignedLong(epitaph_generation_nr_cpus(self->handle)))
GENERATION_GETTER(nr_events, PyLong_FromUnsignedLongLong(epitaph_generation_nr_events(self->handle)))
GENERATION_GETTER(nr_lost, PyLong_FromUnsignedLongLong(epitaph_generation_nr_lost(self->handle)))
GENERATION_GETTER(end_time_ns, PyLong_FromUnsignedLongLong(epitaph_generation_end_time(self->handle)))
GENERATION_GETTER(end_datetime, datetime_of(epitaph_generation_end_real_time(self->handle)))
GENERATION_GETTER(end_cpu, number_or_none(epitaph_generation_end_cpu(self->handle),
	epitaph_generation_end_cpu(self->handle) != EPITAPH_CPU_UNKNOWN))
GENERATION_GETTER(end_pid, number_or_none(epitaph_generation_end_pid(self->handle),
	epitaph_generation_end_pid(self->handle) >= 0))
GENERATION_GETTER(end_comm, text_or_none(epitaph_generation_end_comm(self->handle)))
GENERATION_GETTER(end_reason, text_or_none(epitaph_generation_end_reason(self->handle)))
GENERATION_GETTER(log, list_of(self, EPITAPH_LOG))
GENERATION_GETTER(machine_checks, list_of(self, EPITAPH_MACHINE_CHECK))

static PyObject *generation_end(struct generation *self, void *unused)
{
	(void)unused;
	switch (epitaph_generation_end(self->handle)) {
	case EPITAPH_END_CRASHED:
		return PyUnicode_FromString("crashed");
	case EPITAPH_END_ORDERLY:
		return PyUnicode_FromString("ended");
	default:
		return PyUnicode_FromString("unknown");
	}
}

static PyObject *generation_notes(struct generation *self, void *unused)
{
	PyObject *list = PyList_New(0);
	const char *note;

	(void)unused;
	for (size_t i = 0; list && (note = epitaph_generation_note(self->handle, i)); i++) {
		PyObject *text = text_or_none(note);

		if (!text || PyList_Append(list, text))
			Py_CLEAR(list);
		Py_XDECREF(text);
	}
	return list;
}

static PyObject *generation_tasks(struct generation *self, void *unused)
{
	struct epitaph_error *error = NULL;
	PyObject *dict = PyDict_New();
	const char *comm;
	uint32_t pid;

	(void)unused;
	for (size_t i = 0; dict && epitaph_generation_task(self->handle, i, &pid, &comm, &error) > 0;
	     i++) {
		PyObject *key = PyLong_FromUnsignedLong(pid), *text = text_or_none(comm);

		if (!key || !text || PyDict_SetItem(dict, key, text))
			Py_CLEAR(dict);
		Py_XDECREF(key);
		Py_XDECREF(text);
	}
	if (!error)
		return dict;
	Py_XDECREF(dict);
	return raise_error(error);
}

/* For "O&": "K" would take the low 64 bits of what is no address. */
static int take_address(PyObject *object, void *ret)
{
	PyObject *number = PyNumber_Index(object);

	if (number)
		*(unsigned long long *)ret = PyLong_AsUnsignedLongLong(number);
	Py_XDECREF(number);
	return !PyErr_Occurred();
}

static PyObject *generation_symbol(struct generation *self, PyObject *arg)
{
	struct epitaph_error *error = NULL;
	unsigned long long address = 0;
	char name[1024];
	int ret;

	if (!take_address(arg, &address))
		return NULL;
	self->dump->busy++;
	Py_BEGIN_ALLOW_THREADS
	ret = epitaph_symbol_name(self->handle, address, name, sizeof(name), &error);
	Py_END_ALLOW_THREADS
	self->dump->busy--;
	if (ret < 0)
		return raise_error(error);
	return text_or_none(ret ? name : NULL);
}

static PyObject *generation_address(struct generation *self, PyObject *arg)
{
	const char *name = PyUnicode_AsUTF8AndSize(arg, NULL);
	struct epitaph_error *error = NULL;
	uint64_t address = 0;
	int ret;

	if (!name)
		return NULL;
	self->dump->busy++;
	Py_BEGIN_ALLOW_THREADS
	ret = epitaph_symbol_address(self->handle, name, &address, &error);
	Py_END_ALLOW_THREADS
	self->dump->busy--;
	return ret < 0 ? raise_error(error) : number_or_none(address, ret);
}

/* --- findings ------------------------------------------------------------ */

/* Steals @values, a list; NULL stays NULL. */
static PyObject *tuple_of(PyObject *values)
{
	PyObject *tuple = values ? PyList_AsTuple(values) : NULL;

	Py_XDECREF(values);
	return tuple;
}

static PyObject *sentences_of(const struct epitaph_finding *finding, enum epitaph_finding_list which)
{
	PyObject *list = PyList_New(0);
	const char *sentence;

	for (size_t i = 0; list && (sentence = epitaph_finding_sentence(finding, which, i)); i++) {
		PyObject *text = text_or_none(sentence);

		if (!text || PyList_Append(list, text))
			Py_CLEAR(list);
		Py_XDECREF(text);
	}
	return tuple_of(list);
}

static PyObject *wrap_item(const struct epitaph_item *handle)
{
	struct item *item;

	if (!handle)
		Py_RETURN_NONE;
	item = PyObject_New(struct item, module.item);
	if (item)
		item->handle = epitaph_item_ref(handle);
	return (PyObject *)item;
}

/* Of class @type, epitaph.Evidence; its arguments are in this order. */
static PyObject *make_evidence(PyObject *type, const struct epitaph_evidence *evidence)
{
	uint64_t time = 0;
	int64_t before = 0;
	int has_time = epitaph_evidence_time(evidence, &time) &&
		       epitaph_evidence_before_end(evidence, &before);
	PyObject *number = has_time ? PyLong_FromLongLong(before) : Py_NewRef(Py_None);

	return PyObject_CallFunction(type, "NNNN", text_or_none(epitaph_evidence_text(evidence)),
				     number_or_none(time, has_time), number,
				     wrap_item(epitaph_evidence_item(evidence)));
}

static PyObject *evidence_of(PyObject *package, const struct epitaph_finding *finding)
{
	PyObject *type = PyObject_GetAttrString(package, "Evidence");
	PyObject *list = type ? PyList_New(0) : NULL;
	const struct epitaph_evidence *evidence;

	for (size_t i = 0; list && (evidence = epitaph_finding_evidence(finding, i)); i++) {
		PyObject *object = make_evidence(type, evidence);

		if (!object || PyList_Append(list, object))
			Py_CLEAR(list);
		Py_XDECREF(object);
	}
	Py_XDECREF(type);
	return tuple_of(list);
}

static const char *word_of_strength(enum epitaph_strength strength)
{
	switch (strength) {
	case EPITAPH_SHOWN:
		return "shown";
	case EPITAPH_LIKELY:
		return "likely";
	case EPITAPH_POSSIBLE:
		return "possible";
	default:
		return "not known";
	}
}

/* Of class epitaph.Finding; its arguments are in this order. */
static PyObject *make_finding(PyObject *package, const struct epitaph_finding *finding)
{
	return PyObject_CallMethod(package, "Finding", "NNsNNNNNNN",
				   text_or_none(epitaph_finding_kind(finding)),
				   text_or_none(epitaph_finding_claim(finding)),
				   word_of_strength(epitaph_finding_strength(finding)),
				   text_or_none(epitaph_finding_open_question(finding)),
				   text_or_none(epitaph_finding_signature(finding)),
				   evidence_of(package, finding), sentences_of(finding, EPITAPH_NEXT),
				   sentences_of(finding, EPITAPH_ALSO_FOUND),
				   sentences_of(finding, EPITAPH_NOT_FOUND),
				   sentences_of(finding, EPITAPH_MISSING));
}

static PyObject *list_findings(const struct epitaph_findings *findings)
{
	PyObject *package = PyImport_ImportModule("epitaph");
	PyObject *list = package ? PyList_New(0) : NULL;

	for (size_t i = 0; list && i < epitaph_findings_nr(findings); i++) {
		PyObject *finding = make_finding(package, epitaph_findings_get(findings, i));

		if (!finding || PyList_Append(list, finding))
			Py_CLEAR(list);
		Py_XDECREF(finding);
	}
	Py_XDECREF(package);
	return list;
}

static PyObject *generation_findings(struct generation *self, void *unused)
{
	struct epitaph_error *error = NULL;
	struct epitaph_findings *findings;
	PyObject *list;

	(void)unused;
	self->dump->busy++;
	Py_BEGIN_ALLOW_THREADS
	findings = epitaph_explain(self->handle, &error);
	Py_END_ALLOW_THREADS
	self->dump->busy--;
	if (!findings)
		return raise_error(error);
	list = list_findings(findings);
	epitaph_findings_free(findings);
	return list;
}

static PyGetSetDef generation_getset[] = {
	GETTER(generation, number), GETTER(generation, release), GETTER(generation, version),
	GETTER(generation, machine), GETTER(generation, boot_id), GETTER(generation, build_id),
	GETTER(generation, nr_cpus), GETTER(generation, nr_events), GETTER(generation, nr_lost),
	GETTER(generation, end), GETTER(generation, end_time_ns), GETTER(generation, end_datetime),
	GETTER(generation, end_cpu), GETTER(generation, end_pid), GETTER(generation, end_comm),
	GETTER(generation, end_reason), GETTER(generation, log),
	GETTER(generation, machine_checks), GETTER(generation, notes), GETTER(generation, tasks),
	GETTER(generation, findings),
	{ 0 },
};

static PyMethodDef generation_methods[] = {
	{ "walk", (PyCFunction)(void (*)(void))generation_walk, METH_VARARGS | METH_KEYWORDS,
	  "walk(*, kinds=ALL_KINDS, last_ns=None, damaged=False, text=False)\n\n"
	  "Items of these kinds, from last_ns ns before the end on; damaged: also events of damaged\n"
	  "sub-buffers; text: with the text of each event." },
	{ "symbol", (PyCFunction)generation_symbol, METH_O,
	  "symbol(address)\n\nThe name of a kernel address, \"name+0x1/0x20\", or None." },
	{ "address", (PyCFunction)generation_address, METH_O,
	  "address(name)\n\nThe address of a kernel symbol, or None." },
	{ 0 },
};

static PyType_Slot generation_slots[] = {
	{ Py_tp_dealloc, generation_dealloc },
	{ Py_tp_traverse, generation_traverse },
	{ Py_tp_getset, generation_getset },
	{ Py_tp_methods, generation_methods },
	{ Py_tp_iter, generation_iter },
	{ Py_tp_doc, "One boot's content.  Iterating it gives its items, oldest first." },
	{ 0, NULL },
};

static PyType_Spec generation_spec = {
	"epitaph.Generation", sizeof(struct generation), 0,
	Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, generation_slots,
};

/* --- dumps --------------------------------------------------------------- */

static PyObject *dump_close(struct dump *self, PyObject *unused)
{
	(void)unused;
	if (self->busy)
		return PyErr_Format(module.error, "the dump is in use by another thread; expected no "
				    "call under way; wait for it before close()");
	if (!self->is_closed)
		epitaph_dump_close(self->handle);
	self->is_closed = 1;
	self->handle = NULL;
	Py_RETURN_NONE;
}

static int dump_traverse(struct dump *self, visitproc visit, void *arg)
{
	VISIT_BOTH(self, self->progress);
	return 0;
}

static int dump_clear(struct dump *self)
{
	Py_CLEAR(self->progress);
	return 0;
}

static void dump_dealloc(struct dump *self)
{
	PyTypeObject *type = Py_TYPE(self);

	PyObject_GC_UnTrack(self);
	epitaph_dump_close(self->handle);
	Py_XDECREF(self->progress);
	PyObject_GC_Del(self);
	Py_DECREF(type);
}

/* Of the thread that called the library.  Ctrl-C ends a long step too. */
static int on_progress(void *arg, const char *what, uint64_t done, uint64_t total)
{
	PyGILState_STATE state = PyGILState_Ensure();
	struct dump *self = arg;
	PyObject *result;
	/* One that was raised already is the caller's to see: no other Python runs meanwhile. */
	int stop = PyErr_Occurred() || PyErr_CheckSignals();

	if (!stop && self->progress) {
		result = PyObject_CallFunction(self->progress, "sKK", what,
					       (unsigned long long)done, (unsigned long long)total);
		stop = !result || PyObject_IsTrue(result);
		Py_XDECREF(result);
	}
	PyGILState_Release(state);
	return stop;
}

static int check_open(struct dump *self)
{
	PyObject *exception;

	if (self->handle)
		return 1;
	exception = PyObject_CallFunction(module.error, "s",
		"the dump was closed; expected a dump that is open; keep it open while it is read");
	if (exception) {
		set_number(exception, "code", EPITAPH_ERROR_CLOSED);
		PyErr_SetObject(module.error, exception);
		Py_DECREF(exception);
	}
	return 0;
}

static PyObject *open_generation(struct dump *self, size_t i)
{
	struct epitaph_error *error = NULL;
	struct epitaph_generation *handle;
	struct generation *generation;

	if (!check_open(self))
		return NULL;
	self->busy++;
	Py_BEGIN_ALLOW_THREADS
	handle = epitaph_generation_open(self->handle, i, &error);
	Py_END_ALLOW_THREADS
	self->busy--;
	if (!handle)
		return raise_error(error);
	generation = PyObject_GC_New(struct generation, module.generation);
	if (!generation) {
		epitaph_generation_close(handle);
		return NULL;
	}
	generation->handle = handle;
	generation->dump = self;
	Py_INCREF(self);
	PyObject_GC_Track(generation);
	return (PyObject *)generation;
}

static PyObject *dump_newest(struct dump *self, void *unused)
{
	(void)unused;
	return open_generation(self, EPITAPH_NEWEST);
}

static PyObject *dump_findings(struct dump *self, void *unused)
{
	PyObject *generation = open_generation(self, EPITAPH_NEWEST), *list;

	if (!generation)
		return NULL;
	list = generation_findings((struct generation *)generation, unused);
	Py_DECREF(generation);
	return list;
}

static PyObject *dump_generations(struct dump *self, void *unused)
{
	PyObject *list;

	(void)unused;
	if (!check_open(self))
		return NULL;
	list = PyList_New(0);
	for (size_t i = 0; list && i < epitaph_dump_nr_generations(self->handle); i++) {
		PyObject *generation = open_generation(self, i);

		if (!generation || PyList_Append(list, generation))
			Py_CLEAR(list);
		Py_XDECREF(generation);
	}
	return list;
}

static PyObject *dump_iter(struct dump *self)
{
	PyObject *generation = open_generation(self, EPITAPH_NEWEST), *walk;

	if (!generation)
		return NULL;
	walk = generation_iter((struct generation *)generation);
	Py_DECREF(generation);
	return walk;
}

static PyObject *dump_kind(struct dump *self, void *unused)
{
	(void)unused;
	return check_open(self) ? text_or_none(epitaph_dump_kind(self->handle)) : NULL;
}

static PyObject *dump_closed(struct dump *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(self->is_closed);
}

static PyObject *dump_read(struct dump *self, PyObject *args, PyObject *keywords)
{
	static char *names[] = { "address", "size", "physical", NULL };
	struct epitaph_error *error = NULL;
	unsigned long long address;
	PyObject *bytes, *result;
	int physical = 0;
	Py_ssize_t size;
	ssize_t n;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&n|$p", names, take_address, &address, &size,
					 &physical) ||
	    !check_open(self))
		return NULL;
	if (size < 0)
		return PyErr_Format(PyExc_ValueError, "size is negative");
	bytes = PyBytes_FromStringAndSize(NULL, size);
	if (!bytes)
		return NULL;
	self->busy++;
	Py_BEGIN_ALLOW_THREADS
	n = (physical ? epitaph_read_physical : epitaph_read_virtual)
		(self->handle, address, PyBytes_AsString(bytes), size, &error);
	Py_END_ALLOW_THREADS
	self->busy--;
	result = n < 0 ? raise_error(error) : n == size ? Py_NewRef(bytes) :
		 PyBytes_FromStringAndSize(PyBytes_AsString(bytes), n);
	Py_DECREF(bytes);
	return result;
}

static PyObject *dump_enter(PyObject *self, PyObject *unused)
{
	(void)unused;
	return Py_NewRef(self);
}

static PyObject *dump_exit(struct dump *self, PyObject *args)
{
	(void)args;
	return dump_close(self, NULL);
}

static PyGetSetDef dump_getset[] = {
	GETTER(dump, kind), GETTER(dump, closed), GETTER(dump, generations), GETTER(dump, newest),
	GETTER(dump, findings),
	{ 0 },
};

static PyMethodDef dump_methods[] = {
	{ "close", (PyCFunction)dump_close, METH_NOARGS,
	  "close()\n\nEnd the reader.  What needs the dump raises epitaph.Error from now on." },
	{ "read", (PyCFunction)(void (*)(void))dump_read, METH_VARARGS | METH_KEYWORDS,
	  "read(address, size, *, physical=False)\n\n"
	  "Bytes of the dumped kernel's memory, at a virtual address; fewer than size where the\n"
	  "dump lacks some." },
	{ "__enter__", dump_enter, METH_NOARGS, NULL },
	{ "__exit__", (PyCFunction)dump_exit, METH_VARARGS, NULL },
	{ 0 },
};

static PyType_Slot dump_slots[] = {
	{ Py_tp_dealloc, dump_dealloc },
	{ Py_tp_traverse, dump_traverse },
	{ Py_tp_clear, dump_clear },
	{ Py_tp_getset, dump_getset },
	{ Py_tp_methods, dump_methods },
	{ Py_tp_iter, dump_iter },
	{ Py_tp_doc, "An open dump.  Iterating it gives the items of its newest generation." },
	{ 0, NULL },
};

static PyType_Spec dump_spec = {
	"epitaph.Dump", sizeof(struct dump), 0,
	Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, dump_slots,
};

/* --- opening ------------------------------------------------------------- */

static struct epitaph_options *make_options(struct dump *dump, int sandbox, unsigned int sources,
					    PyObject *places)
{
	struct epitaph_options *options = epitaph_options_new();
	struct epitaph_error *error = NULL;
	Py_ssize_t i;

	if (!options)
		return (void *)PyErr_NoMemory();
	epitaph_options_set_sandbox(options, sandbox);
	epitaph_options_set_sources(options, sources);
	epitaph_options_set_progress(options, on_progress, dump);
	for (i = 0; i < PyList_Size(places) && !error; i++)
		epitaph_options_add_debuginfo(options, PyBytes_AsString(PyList_GetItem(places, i)),
					      &error);
	if (!error)
		return options;
	epitaph_options_free(options);
	return (void *)raise_error(error);
}

static struct epitaph_dump *open_paths(PyObject *paths, int fd, struct epitaph_options *options,
				       struct epitaph_error **error)
{
	size_t nr = PyList_Size(paths), i;
	struct epitaph_dump *handle;
	const char **texts = calloc(nr + 1, sizeof(*texts));

	for (i = 0; texts && i < nr; i++)
		texts[i] = PyBytes_AsString(PyList_GetItem(paths, i));
	Py_BEGIN_ALLOW_THREADS
	handle = fd >= 0 ? epitaph_dump_open_fd(fd, options, error) :
			   epitaph_dump_open_parts(texts, texts ? nr : 0, options, error);
	Py_END_ALLOW_THREADS
	free(texts);
	return handle;
}

/* Paths and places come from __init__.py, as lists of bytes. */
static PyObject *module_open(PyObject *self, PyObject *args)
{
	PyObject *paths, *places, *progress;
	struct epitaph_error *error = NULL;
	struct epitaph_options *options;
	unsigned int sources;
	struct dump *dump;
	int fd, sandbox;

	(void)self;
	if (!PyArg_ParseTuple(args, "O!ipIO!O", &PyList_Type, &paths, &fd, &sandbox, &sources,
			      &PyList_Type, &places, &progress))
		return NULL;
	dump = PyObject_GC_New(struct dump, module.dump);
	if (!dump)
		return NULL;
	dump->handle = NULL;
	dump->busy = dump->is_closed = 0;
	dump->progress = progress == Py_None ? NULL : Py_NewRef(progress);
	PyObject_GC_Track(dump);
	options = make_options(dump, sandbox, sources, places);
	if (options)
		dump->handle = open_paths(paths, fd, options, &error);
	epitaph_options_free(options);
	if (dump->handle)
		return (PyObject *)dump;
	Py_DECREF(dump);
	return error ? raise_error(error) : NULL;
}

static PyMethodDef methods[] = {
	{ "open", module_open, METH_VARARGS, NULL },
	{ 0 },
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT, "_epitaph", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

static PyTypeObject *add_type(PyObject *m, const char *name, PyType_Spec *spec)
{
	PyObject *type = PyType_FromSpec(spec);

	if (type && PyModule_AddObjectRef(m, name, type))
		Py_CLEAR(type);
	return (PyTypeObject *)type;
}

static int get_datetime(void)
{
	PyObject *datetime = PyImport_ImportModule("datetime");
	PyObject *timezone = datetime ? PyObject_GetAttrString(datetime, "timezone") : NULL;
	PyObject *utc = timezone ? PyObject_GetAttrString(timezone, "utc") : NULL;

	if (utc) {
		module.timedelta = PyObject_GetAttrString(datetime, "timedelta");
		module.epoch = PyObject_CallMethod(datetime, "datetime", "iiiiiiiO", 1970, 1, 1, 0, 0,
						   0, 0, utc);
	}
	Py_XDECREF(utc);
	Py_XDECREF(timezone);
	Py_XDECREF(datetime);
	return module.timedelta && module.epoch ? 0 : -1;
}

PyMODINIT_FUNC PyInit__epitaph(void)
{
	PyObject *m = PyModule_Create(&definition);

	if (!m)
		return NULL;
	module.item = add_type(m, "Item", &item_spec);
	module.walk = add_type(m, "Walk", &walk_spec);
	module.generation = add_type(m, "Generation", &generation_spec);
	module.dump = add_type(m, "Dump", &dump_spec);
	module.error = PyErr_NewExceptionWithDoc("epitaph.Error",
		"What libepitaph found wrong; code, errno, and the message's four parts: found, where, "
		"expected, advice.", NULL, NULL);
	if (!module.item || !module.walk || !module.generation || !module.dump || !module.error ||
	    PyModule_AddObjectRef(m, "Error", module.error) || get_datetime() ||
	    PyModule_AddStringConstant(m, "__version__", epitaph_version())) {
		Py_DECREF(m);
		return NULL;
	}
	return m;
}
