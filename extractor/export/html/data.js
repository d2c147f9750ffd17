// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// What the exporter put into the page: blocks of base64 of deflate; docs/html.md.
// Texts of the recorded machine are never markup: they go to textContent and fillText() only.

const KIND = {
	EVENT: 0, SWITCH: 1, IRQ: 2, IRQ_END: 3, SOFT: 4, SOFT_END: 5, SYS: 6, SYS_END: 7,
	LOG: 8, MCE: 9, LOST: 10, DAMAGED: 11, UNFINISHED: 12, MARK: 13, CRASH: 14, END: 15,
	NOT_RUN: 16,
};

const TEXT_ROWS = 1024;		// lines of a block of text
const TEXT_KEPT = 64;		// blocks that are kept unpacked

const data = {
	n: 0,
	time: new Float64Array(0),	// ns after the end; before it negative
	cpu: new Uint16Array(0),	// and 1 more; 0: none
	kind: new Uint8Array(0),
	name: new Uint32Array(0),	// index of strings; so are the next two
	task: new Uint32Array(0),
	aux: new Uint32Array(0),
	strings: [''],
	facts: {},
};

function blocks(name) {
	return document.querySelectorAll(`script[data-block="${name}"]`);
}

async function inflate(node) {
	const raw = atob(node.textContent.trim());
	const bytes = new Uint8Array(raw.length);
	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function textOf(name) {
	const decoder = new TextDecoder();
	let text = '';
	for (const node of blocks(name))
		text += decoder.decode(await inflate(node), { stream: true });
	return text + decoder.decode();
}

// Seven bits a byte, the lowest first; numbers above 2^53 lose their last bits.
class Varints {
	constructor(bytes, at, end) {
		this.bytes = bytes;
		this.at = at;
		this.end = end === undefined ? bytes.length : end;
	}

	next() {
		let value = 0;
		let scale = 1;
		let byte;
		do {
			byte = this.bytes[this.at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte & 128 && this.at < this.end);
		return value;
	}

	part() {
		const size = this.next();
		const part = new Varints(this.bytes, this.at, this.at + size);
		this.at += size;
		return part;
	}
}

// One block of rows: their number, then a part for each column.
function readRows(bytes, first, before) {
	const all = new Varints(bytes, 0);
	const n = all.next();
	const [time, cpu, kind, name, task, aux] = Array.from({ length: 6 }, () => all.part());
	for (let i = first; i < first + n; i++) {
		const delta = time.next();
		before += delta % 2 ? -(delta + 1) / 2 : delta / 2;
		data.time[i] = before;
		data.cpu[i] = cpu.next();
		data.kind[i] = kind.next();
		data.name[i] = name.next();
		data.task[i] = task.next();
		data.aux[i] = aux.next();
	}
	return before;
}

async function loadData() {
	data.facts = JSON.parse(await textOf('facts'));
	data.strings = (await textOf('strings')).split('\0');
	const n = data.n = data.facts.rows;
	data.time = new Float64Array(n);
	data.cpu = new Uint16Array(n);
	data.kind = new Uint8Array(n);
	for (const column of ['name', 'task', 'aux'])
		data[column] = new Uint32Array(n);
	let before = Number(BigInt(data.facts.start) - BigInt(data.facts.end));
	let first = 0;
	for (const node of blocks('rows')) {
		const bytes = await inflate(node);
		before = readRows(bytes, first, before);
		first += new Varints(bytes, 0).next();
	}
}

// What the line of an event begins with: its task, its CPU and its time, which are its row's.
function headOf(row) {
	const task = data.strings[data.task[row]];
	const dash = task.lastIndexOf('-');
	const us = Math.floor(Math.abs(data.time[row]) / 1000);
	const time = `T${data.time[row] <= 0 ? '-' : '+'}${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}`;
	return `${task.slice(0, dash).padStart(16)}-${task.slice(dash + 1).padEnd(7)} ` +
		`[${String(data.cpu[row] - 1).padStart(3, '0')}] ..... ${time.padStart(12)}: `;
}

// Lines of the report, a row each, unpacked when they are wanted.
const lines = {
	nodes: [],
	kept: new Map(),

	begin() {
		this.nodes = Array.from(blocks('text'));
	},

	// Those of a block.  A tab stands where the row has what the line begins with.
	async unpack(i) {
		const text = new TextDecoder().decode(await inflate(this.nodes[i]));
		return text.split('\n').map((line, n) =>
			line.startsWith('\t') ? headOf(i * TEXT_ROWS + n) + line.slice(1) : line);
	},

	async block(i) {
		let text = this.kept.get(i);
		if (text) {
			this.kept.delete(i);
		} else {
			text = await this.unpack(i);
			if (this.kept.size >= TEXT_KEPT)
				this.kept.delete(this.kept.keys().next().value);
		}
		this.kept.set(i, text);
		return text;
	},

	// Now, if it is unpacked; else undefined, and then() is called when it is.
	get(row, then) {
		const i = Math.floor(row / TEXT_ROWS);
		const text = this.kept.get(i);
		if (text)
			return text[row % TEXT_ROWS];
		if (i < this.nodes.length)
			this.block(i).then(then);
		return undefined;
	},
};

// The first index in [0, n) for which value(index) >= limit; n if there is none.
function lower(n, value, limit) {
	let low = 0;
	let high = n;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (value(middle) < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

function lowerIn(array, n, limit) {
	let low = 0;
	let high = n;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (array[middle] < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
