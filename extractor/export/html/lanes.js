// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// From rows to slices: who ran on a CPU, and what it did.  Nothing is drawn where
// nothing is known: a slice ends where events were lost.

// Columns that grow; slices of a lane, in order and beside each other.
class Slices {
	constructor() {
		this.n = 0;
		this.start = new Float64Array(64);
		this.end = new Float64Array(64);
		this.label = new Uint32Array(64);
		this.row = new Uint32Array(64);
		this.sum = null;	// of durations before each, when all are there
	}

	add(start, end, label, row) {
		if (this.n === this.start.length)
			for (const key of ['start', 'end', 'label', 'row']) {
				const more = new this[key].constructor(2 * this.n);
				more.set(this[key]);
				this[key] = more;
			}
		this.start[this.n] = start;
		this.end[this.n] = end;
		this.label[this.n] = label;
		this.row[this.n++] = row;
	}

	finish() {
		this.sum = new Float64Array(this.n + 1);
		for (let i = 0; i < this.n; i++)
			this.sum[i + 1] = this.sum[i] + this.end[i] - this.start[i];
	}

	// Of all the time before t.
	busyUntil(t) {
		const i = lowerIn(this.start, this.n, t);
		return i ? this.sum[i] - Math.max(0, this.end[i - 1] - t) : 0;
	}

	at(t) {
		const i = lowerIn(this.start, this.n, t + 1e-3) - 1;
		return i >= 0 && t <= this.end[i] ? i : -1;
	}
}

// A stack of what is under way in one lane, cut into slices beside each other.
class Under {
	constructor() {
		this.slices = new Slices();
		this.open = [];
	}

	close(t) {
		const top = this.open[this.open.length - 1];
		if (top && t > top.since)
			this.slices.add(top.since, t, top.label, top.row);
	}

	begin(t, label, row) {
		this.close(t);
		this.open.push({ since: t, label, row });
	}

	end(t) {
		this.close(t);
		this.open.pop();
		const below = this.open[this.open.length - 1];
		if (below)
			below.since = t;
	}

	forget(t) {
		this.close(t);
		this.open = [];
	}
}

// The CPUs of one kernel.
class Kernel {
	constructor() {
		this.cpus = [];
		this.calls = new Map();		// pid: label of the system call that it is in
	}
}

// A virtual machine, and which threads of the host run its CPUs.
class Guest extends Kernel {
	constructor(facts) {
		super();
		this.name = facts.name;
		this.lane = facts.lane;
		this.log = [];			// rows of no CPU
		this.ends = [];
		this.cpus = facts.threads.map((thread, i) => {
			const cpu = new Cpu(i, this);
			cpu.thread = thread;
			cpu.name = `${facts.name}/${i}`;
			return cpu;
		});
	}

	has(lane) {
		return lane >= this.lane && lane <= this.lane + this.cpus.length;
	}
}

class Cpu {
	constructor(number, kernel) {
		this.number = number;
		this.kernel = kernel;
		this.name = `CPU ${number}`;
		this.ran = new Slices();	// of a guest: where its host ran it
		this.waits = new Slices();	// and where it did not, with the cause
		this.tasks = new Under();
		this.sys = new Under();
		this.irq = new Under();
		this.soft = new Under();
		this.gaps = new Slices();	// nothing is known
		this.rows = [];			// a typed array when all are there
		this.nrRows = 0;
		this.odd = [];			// rows of losses and damage
		this.task = 0;
		this.last = -Infinity;		// time of the row before
	}
}

const pids = new Map();

function pidOf(task) {
	let pid = pids.get(task);
	if (pid === undefined) {
		const text = data.strings[task];
		pid = task ? text.slice(text.lastIndexOf('-') + 1) : '';
		pids.set(task, pid);
	}
	return pid;
}

const lanes = {
	cpus: [],
	log: [],	// rows
	mces: [],
	marks: [],
	end: -1,	// row of the crash, or of the end
	first: 0,	// times
	last: 0,
	guests: [],
};

function guestOf(row) {
	const lane = data.cpu[row] - 1;
	return lanes.guests.find(guest => guest.has(lane));
}

// The task that runs from t on; 0: unknown.
function turn(cpu, t, task, row) {
	if (cpu.task === task)
		return;
	if (cpu.task) {
		cpu.tasks.forget(t);
		cpu.sys.forget(t);
	}
	cpu.task = task;
	const pid = pidOf(task);
	if (!task || pid === '0')
		return;
	cpu.tasks.begin(t, task, row);
	const call = cpu.kernel.calls.get(pid);
	if (call)
		cpu.sys.begin(t, call, row);
}

function lose(cpu, t) {
	const since = Math.max(cpu.last, lanes.first);
	for (const under of [cpu.tasks, cpu.sys, cpu.irq, cpu.soft])
		under.forget(since);
	if (cpu.task && pidOf(cpu.task) !== '0')
		cpu.kernel.calls.delete(pidOf(cpu.task));
	cpu.task = 0;
	if (t > since)
		cpu.gaps.add(since, t, 0, 0);
}

function enterCall(cpu, t, label, row) {
	const pid = pidOf(cpu.task);
	const top = cpu.sys.open[0];
	cpu.kernel.calls.set(pid, label);
	// The same call by two names: the second says more.
	if (top && data.kind[top.row] === KIND.SYS && t - top.since < 1e5 &&
	    data.strings[top.label].startsWith('syscall ')) {
		top.label = label;
		return;
	}
	cpu.sys.forget(t);
	cpu.sys.begin(t, label, row);
}

function leaveCall(cpu, t) {
	cpu.kernel.calls.delete(pidOf(cpu.task));
	cpu.sys.forget(t);
}

function takeEvent(cpu, t, row) {
	const kind = data.kind[row];
	if (data.task[row])
		turn(cpu, t, data.task[row], row);
	switch (kind) {
	case KIND.SWITCH:
		turn(cpu, t, data.aux[row], row);
		break;
	case KIND.IRQ:
		cpu.irq.begin(t, data.aux[row], row);
		break;
	case KIND.IRQ_END:
		cpu.irq.end(t);
		break;
	case KIND.SOFT:
		cpu.soft.begin(t, data.aux[row], row);
		break;
	case KIND.SOFT_END:
		cpu.soft.end(t);
		break;
	case KIND.SYS:
		enterCall(cpu, t, data.aux[row], row);
		break;
	case KIND.SYS_END:
		leaveCall(cpu, t);
		break;
	}
}

function takeRow(cpu, row) {
	const t = data.time[row];
	switch (data.kind[row]) {
	case KIND.LOST:
	case KIND.DAMAGED:
		cpu.odd.push(row);
		if (data.aux[row])
			return;
		lose(cpu, t);
		break;
	case KIND.UNFINISHED:
		cpu.odd.push(row);
		break;
	case KIND.NOT_RUN:
		cpu.waits.add(t - Number(data.strings[data.aux[row]]), t, data.name[row], row);
		return;
	default:
		if (cpu.last === -Infinity && t > lanes.first)
			cpu.gaps.add(lanes.first, t, 0, 0);
		takeEvent(cpu, t, row);
		cpu.rows[cpu.nrRows++] = row;
	}
	cpu.last = t;
}

// Not what has a lane of its own, though it may name a CPU.
function isOfCpu(row) {
	const kind = data.kind[row];
	return data.cpu[row] && (kind < KIND.LOG || kind >= KIND.LOST && kind <= KIND.UNFINISHED ||
		kind === KIND.NOT_RUN);
}

function countRows() {
	const counts = new Uint32Array(65536);
	for (let i = 0; i < data.n; i++)
		if (isOfCpu(i))
			counts[data.cpu[i]]++;
	return counts;
}

function bounds() {
	lanes.first = data.n ? data.time[0] : 0;
	lanes.last = 0;
	for (let i = 0; i < data.n; i++) {
		lanes.first = Math.min(lanes.first, data.time[i]);
		lanes.last = Math.max(lanes.last, data.time[i]);
	}
	if (!data.facts.known_end && data.n)
		lanes.last = data.time[data.n - 1];
	if (lanes.last <= lanes.first)
		lanes.last = lanes.first + 1000;
}

// Where a gap begins: with the first event of any CPU, not with the log of the boot.
function firstOfRings() {
	for (let i = 0; i < data.n; i++)
		if (data.cpu[i] && data.kind[i] < KIND.LOG)
			return data.time[i];
	return lanes.first;
}

// An open slice is drawn until the last event of any CPU: recording ends there, though the
// machine may have run on.
function finishCpu(cpu, until) {
	for (const under of [cpu.tasks, cpu.sys, cpu.irq, cpu.soft]) {
		under.forget(until);
		under.slices.finish();
	}
	if (until < Math.min(lanes.last, 0))
		cpu.gaps.add(until, Math.min(lanes.last, 0), 0, 0);
	cpu.gaps.finish();
	cpu.rows = cpu.rows.subarray(0, cpu.nrRows);
}

// What the kernel logged while it was recorded is an event.
function isLog(row) {
	return data.kind[row] === KIND.LOG ||
		data.kind[row] === KIND.EVENT && data.strings[data.name[row]] === 'console';
}

// By their lanes, and 1 more.
function makeCpus(counts) {
	const host = new Kernel();
	const byNumber = new Map();
	lanes.guests = (data.facts.guests || []).map(facts => new Guest(facts));
	for (const guest of lanes.guests)
		guest.cpus.forEach((cpu, i) => byNumber.set(guest.lane + 1 + i + 1, cpu));
	counts.forEach((n, i) => {
		if (n && !byNumber.has(i) && !lanes.guests.some(guest => guest.has(i - 1))) {
			const cpu = new Cpu(i - 1, host);
			byNumber.set(i, cpu);
			host.cpus.push(cpu);
		}
	});
	byNumber.forEach((cpu, i) => { cpu.rows = new Uint32Array(counts[i]); });
	lanes.cpus = host.cpus;
	return byNumber;
}

// Each kernel as far as it recorded.
function finishKernel(cpus) {
	const until = cpus.reduce((t, cpu) => Math.max(t, cpu.last), -Infinity);
	cpus.forEach(cpu => finishCpu(cpu, until));
}

// A virtual CPU runs where its thread does, on whichever CPU of the host.
function findRuns() {
	const runs = new Map();		// by thread
	for (const guest of lanes.guests)
		for (const cpu of guest.cpus)
			runs.set(String(cpu.thread), []);
	for (const host of lanes.cpus) {
		const slices = host.tasks.slices;
		const label = data.strings.length;
		data.strings.push(`on ${host.name}`);
		for (let i = 0; i < slices.n; i++) {
			const found = runs.get(pidOf(slices.label[i]));
			if (found)
				found.push([slices.start[i], slices.end[i], label, slices.row[i]]);
		}
	}
	for (const guest of lanes.guests)
		for (const cpu of guest.cpus) {
			runs.get(String(cpu.thread)).sort((a, b) => a[0] - b[0]).forEach(run => cpu.ran.add(...run));
			cpu.ran.finish();
			cpu.waits.finish();
		}
}

// What is of a guest, and of none of its CPUs that have a lane, is shown together.
function takeGuestRow(guest, row) {
	const kind = data.kind[row];
	if (kind === KIND.CRASH)
		guest.ends.push(row);
	else if (data.cpu[row] - 1 === guest.lane || kind !== KIND.NOT_RUN && (!isOfCpu(row) || isLog(row)))
		guest.log.push(row);
}

function buildLanes() {
	const byNumber = makeCpus(countRows());
	bounds();
	const first = lanes.first;
	lanes.first = firstOfRings();
	for (let row = 0; row < data.n; row++) {
		const kind = data.kind[row];
		const guest = guestOf(row);
		if (guest)
			takeGuestRow(guest, row);
		else if (isLog(row))
			lanes.log.push(row);
		else if (kind === KIND.MCE)
			lanes.mces.push(row);
		else if (kind === KIND.MARK)
			lanes.marks.push(row);
		else if (kind === KIND.CRASH || kind === KIND.END)
			lanes.end = row;
		const cpu = isOfCpu(row) && byNumber.get(data.cpu[row]);
		if (cpu)
			takeRow(cpu, row);
	}
	finishKernel(lanes.cpus);
	lanes.guests.forEach(guest => finishKernel(guest.cpus));
	findRuns();
	lanes.first = first;
}
