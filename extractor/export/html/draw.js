// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// The picture.  Work is by columns of pixels, found by binary search, so that a
// million events cost as much as a thousand.

const LEFT = 92;	// width of the names of lanes
const RULER = 24;
const CPU_GAP = 8;
const INK = '#0b0d10';	// on the colours of tasks, light or dark
const MANY = 24;	// lines through all lanes
const SAMPLES = 12;	// slices of a column that are looked at for its colour
const HEIGHTS = { task: 22, sys: 12, irq: 12, soft: 12, event: 12, top: 12, ran: 12, wait: 12 };
const LETTERS = 12;	// of the name of a lane

const canvas = element('picture');
const overview = element('overview');
let ctx = canvas.getContext('2d');
let layout = { rows: [], height: 0 };

function fit(target, width, height) {
	const ratio = window.devicePixelRatio || 1;
	if (target.width !== Math.round(width * ratio) || target.height !== Math.round(height * ratio)) {
		target.width = Math.round(width * ratio);
		target.height = Math.round(height * ratio);
		target.style.height = `${height}px`;
	}
	const context = target.getContext('2d');
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}

// What lies where, from the top, in pixels of the whole height.
function layOut() {
	const rows = [];
	let y = RULER + 4;
	const put = (kind, cpu, height, name) => {
		rows.push({ kind, cpu, y, height, name });
		y += height + 1;
	};
	if (lanes.log.length)
		put('log', null, HEIGHTS.top, 'kernel log');
	if (lanes.mces.length)
		put('mce', null, HEIGHTS.top, 'MCE');
	if (lanes.marks.length)
		put('mark', null, HEIGHTS.top, 'marks');
	const putCpu = cpu => {
		put('task', cpu, HEIGHTS.task, cpu.name);
		for (const [kind, name] of [['sys', 'syscall'], ['irq', 'irq'], ['soft', 'softirq']])
			if (cpu[kind].slices.n)
				put(kind, cpu, HEIGHTS[kind], name);
		put('event', cpu, HEIGHTS.event, 'events');
	};
	// The host's thread, and below it what the guest did on that CPU.
	const putVcpu = cpu => {
		y += CPU_GAP;
		put('ran', null, HEIGHTS.ran, `thread ${cpu.thread}`);
		rows[rows.length - 1].vcpu = cpu;
		if (cpu.waits.n) {
			put('wait', null, HEIGHTS.wait, 'not run');
			rows[rows.length - 1].vcpu = cpu;
		}
		putCpu(cpu);
	};
	for (const cpu of lanes.cpus) {
		y += CPU_GAP;
		putCpu(cpu);
	}
	for (const guest of lanes.guests) {
		y += 2 * CPU_GAP;
		put('guest', null, HEIGHTS.top, guest.name);
		rows[rows.length - 1].guest = guest;
		guest.cpus.forEach(putVcpu);
	}
	layout = { rows, height: y + 6 };
	element('tall').style.height = `${layout.height}px`;
}

// As much as the lanes need, if that leaves enough to the table.
function chooseHeight() {
	const others = overview.offsetHeight + element('detail').offsetHeight;
	const most = element('lanes').parentElement.clientHeight * 0.55;
	element('lanes').style.height = `${Math.min(most, layout.height + others + 8)}px`;
}

function xOf(t) {
	return LEFT + (t - view.t0) * (canvas.clientWidth - LEFT) / (view.t1 - view.t0);
}

function timeAt(x) {
	return view.t0 + (x - LEFT) * (view.t1 - view.t0) / (canvas.clientWidth - LEFT);
}

function drawRow(row, y) {
	const cpu = row.cpu;
	const plain = name => () => view.theme[name];
	switch (row.kind) {
	case 'log':
		return drawTicks(lanes.log.length, i => lanes.log[i], y, row.height, logColour);
	case 'mce':
		return drawTicks(lanes.mces.length, i => lanes.mces[i], y, row.height, plain('mce'));
	case 'mark':
		return drawTicks(lanes.marks.length, i => lanes.marks[i], y, row.height, plain('mark'));
	case 'task':
		return drawSlices(cpu.tasks.slices, row, y, i => colourOf(cpu.tasks.slices.label[i]), INK);
	case 'guest':
		drawTicks(row.guest.log.length, i => row.guest.log[i], y, row.height, plain('log'));
		return drawTicks(row.guest.ends.length, i => row.guest.ends[i], y, row.height, plain('crash'), 2);
	case 'ran':
		return drawSlices(row.vcpu.ran, row, y, plain('sys'), view.theme.bg);
	case 'wait':
		return drawSlices(row.vcpu.waits, row, y, plain('lost'), view.theme.bg);
	case 'event':
		drawTicks(cpu.nrRows, i => cpu.rows[i], y, row.height, plain('event'));
		return drawNames(cpu, y, row.height);
	}
	drawSlices(cpu[row.kind].slices, row, y, plain(row.kind), view.theme.bg);
}

function drawLeft(row, y) {
	ctx.fillStyle = view.theme.panel;
	ctx.fillRect(0, y - 1, LEFT - 1, row.height + 2);
	ctx.fillStyle = row.kind === 'task' || row.kind === 'guest' ? view.theme.fg : view.theme.dim;
	ctx.textAlign = 'right';
	ctx.fillText(row.name.length > LETTERS ? `…${row.name.slice(1 - LETTERS)}` : row.name, LEFT - 8, y + row.height / 2 + 0.5);
	ctx.textAlign = 'left';
}

// What of a CPU is wrong goes over all of its lanes.
function drawOdd(cpu, top, bottom) {
	drawTicks(cpu.odd.length, i => cpu.odd[i], top - 3, bottom - top + 3, () => view.theme.lost, 2);
}

function drawCpus(scrolled, height) {
	let top = 0;
	layout.rows.forEach((row, i) => {
		const y = row.y - scrolled;
		const last = i + 1 === layout.rows.length || layout.rows[i + 1].cpu !== row.cpu;
		if (row.kind === 'task')
			top = y;
		if (y + row.height < RULER && !last || y > height)
			return;
		if (row.kind === 'task' && row.cpu)
			drawGaps(row.cpu, y, y + cpuHeight(row.cpu));
		if (y + row.height >= RULER)
			drawRow(row, y);
		if (last && row.cpu)
			drawOdd(row.cpu, top, y + row.height);
	});
	for (const row of layout.rows)
		drawLeft(row, row.y - scrolled);
}

function cpuHeight(cpu) {
	const rows = layout.rows.filter(row => row.cpu === cpu);
	const last = rows[rows.length - 1];
	return last.y + last.height - rows[0].y;
}

// 1, 2 or 5 times a power of ten, so that labels have room.
function tickStep(width) {
	const least = (view.t1 - view.t0) * 110 / width;
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map(f => f * power).find(step => step >= least);
}

function drawRuler(height) {
	const width = canvas.clientWidth;
	const step = tickStep(width - LEFT);
	const digits = Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step))));
	ctx.fillStyle = view.theme.bg;
	ctx.fillRect(0, 0, width, RULER);
	for (let k = Math.ceil(view.t0 / step); k * step <= view.t1; k++) {
		const x = Math.round(xOf(k * step)) + 0.5;
		if (x < LEFT)
			continue;
		ctx.strokeStyle = view.theme.line;
		ctx.beginPath();
		ctx.moveTo(x, 16);
		ctx.lineTo(x, height);
		ctx.globalAlpha = 0.7;
		ctx.stroke();
		ctx.globalAlpha = 1;
		ctx.fillStyle = view.theme.dim;
		ctx.fillText(k ? timeText(k * step, digits) : 'T', x + 4, 9);
	}
	ctx.fillStyle = view.theme.fg;
	ctx.fillText(durationText(view.t1 - view.t0), 10, 10);
}

function upright(t, colour, dashed, height, width) {
	const x = Math.round(xOf(t)) + 0.5;
	if (x < LEFT || x > canvas.clientWidth)
		return false;
	ctx.strokeStyle = colour;
	ctx.lineWidth = width || 1;
	ctx.setLineDash(dashed ? [4, 3] : []);
	ctx.beginPath();
	ctx.moveTo(x, 0);
	ctx.lineTo(x, height);
	ctx.stroke();
	ctx.setLineDash([]);
	ctx.lineWidth = 1;
	return true;
}

function drawEnd(height) {
	if (lanes.end < 0)
		return;
	const crashed = data.kind[lanes.end] === KIND.CRASH;
	const colour = crashed ? view.theme.crash : view.theme.accent;
	const text = crashed ? 'CRASH' : 'END';
	if (!upright(data.time[lanes.end], colour, false, height, 2))
		return;
	const x = xOf(data.time[lanes.end]);
	const room = ctx.measureText(text).width + 10;
	ctx.fillStyle = colour;
	ctx.fillRect(x - room, 0, room, 17);
	ctx.fillStyle = view.theme.bg;
	ctx.fillText(text, x - room + 5, 9);
}

// Through all lanes, unless there are so many that nothing else could be seen.
function drawThrough(rows, colour, height) {
	const first = lower(rows.length, i => data.time[rows[i]], view.t0);
	const end = lower(rows.length, i => data.time[rows[i]], view.t1);
	for (let i = first; i < end && end - first <= MANY; i++)
		upright(data.time[rows[i]], colour, true, height);
}

function drawOver(height) {
	drawThrough(lanes.mces, view.theme.mce, height);
	drawThrough(lanes.marks, view.theme.mark, height);
	drawThrough(verdict.rows, view.theme.why, height);
	drawTicks(view.nrHits, i => view.hits[i], RULER - 7, 6, () => view.theme.hit);
	drawEnd(height);
	if (view.hover >= 0)
		upright(data.time[view.hover], view.theme.dim, true, height);
	if (view.selected >= 0)
		upright(data.time[view.selected], view.theme.accent, false, height, 1.5);
	if (view.measure)
		drawMeasure(height);
}

function drawMeasure(height) {
	const [a, b] = view.measure.map(xOf);
	ctx.globalAlpha = 0.18;
	ctx.fillStyle = view.theme.accent;
	ctx.fillRect(Math.min(a, b), RULER, Math.abs(b - a), height);
	ctx.globalAlpha = 1;
	ctx.fillStyle = view.theme.fg;
	ctx.fillText(durationText(Math.abs(view.measure[1] - view.measure[0])), Math.min(a, b) + 4, RULER + 10);
}

function draw() {
	const scroll = element('scroll');
	const height = scroll.clientHeight;
	const width = scroll.clientWidth;
	if (!width || !height)
		return;
	ctx = fit(canvas, width, height);
	ctx.font = `11px ${view.theme.mono}`;
	ctx.textBaseline = 'middle';
	ctx.fillStyle = view.theme.bg;
	ctx.fillRect(0, 0, width, height);
	drawRuler(height);
	ctx.save();
	ctx.beginPath();
	ctx.rect(0, RULER, width, height);
	ctx.clip();
	drawCpus(scroll.scrollTop, height);
	ctx.restore();
	drawOver(height);
	drawOverview();
}
