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
const HEIGHTS = { task: 22, sys: 12, irq: 12, soft: 12, event: 12, top: 12 };

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
	for (const cpu of lanes.cpus) {
		y += CPU_GAP;
		put('task', cpu, HEIGHTS.task, `CPU ${cpu.number}`);
		for (const [kind, name] of [['sys', 'syscall'], ['irq', 'irq'], ['soft', 'softirq']])
			if (cpu[kind].slices.n)
				put(kind, cpu, HEIGHTS[kind], name);
		put('event', cpu, HEIGHTS.event, 'events');
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

// The longest of some of the slices first..end-1.
function longest(slices, first, end) {
	const step = Math.max(1, Math.floor((end - first) / SAMPLES));
	let best = first;
	for (let i = first; i < end; i += step)
		if (slices.end[i] - slices.start[i] > slices.end[best] - slices.start[best])
			best = i;
	return best;
}

function putLabel(text, x0, x1, y, height, colour) {
	const room = x1 - x0 - 6;
	if (room < 18)
		return;
	ctx.fillStyle = colour;
	ctx.save();
	ctx.beginPath();
	ctx.rect(x0, y, x1 - x0, height);
	ctx.clip();
	ctx.fillText(text, x0 + 4, y + height / 2 + 0.5);
	ctx.restore();
}

// A column of many: as high as the share of its time that they take.
function putColumn(slices, x, first, end, row, y, colour) {
	const a = timeAt(x);
	const b = timeAt(x + 1);
	const share = Math.min(1, (slices.busyUntil(b) - slices.busyUntil(a)) / (b - a));
	const height = Math.max(3, row.height * share);
	ctx.fillStyle = colour(longest(slices, first, end));
	ctx.fillRect(x, y + row.height - height, 1, height);
}

function drawSlices(slices, row, y, colour, ink) {
	const width = canvas.clientWidth;
	let i = lowerIn(slices.end, slices.n, view.t0);
	while (i < slices.n) {
		const x0 = Math.max(LEFT, xOf(slices.start[i]));
		const x1 = Math.min(width, xOf(slices.end[i]));
		if (x0 >= width)
			return;
		if (x1 - x0 >= 1.5) {
			ctx.fillStyle = colour(i);
			ctx.fillRect(x0, y, x1 - x0 - (x1 - x0 > 4 ? 0.5 : 0), row.height);
			putLabel(data.strings[slices.label[i]], x0, x1, y, row.height, ink);
			i++;
			continue;
		}
		const column = Math.floor(x0);
		const next = Math.max(i + 1, lowerIn(slices.start, slices.n, timeAt(column + 1)));
		putColumn(slices, column, i, next, row, y, colour);
		// The last of them may be a wide one that begins in this column.
		i = next - 1 > i && xOf(slices.end[next - 1]) - xOf(slices.start[next - 1]) >= 1.5 ?
			next - 1 : next;
	}
}

function drawGaps(cpu, top, bottom) {
	const slices = cpu.gaps;
	let x = LEFT;
	for (let i = lowerIn(slices.end, slices.n, view.t0); i < slices.n; i++) {
		const x0 = Math.max(x, xOf(slices.start[i]));
		const x1 = Math.min(canvas.clientWidth, xOf(slices.end[i]));
		if (x0 >= canvas.clientWidth)
			return;
		if (x1 > x0 + 0.5)
			hatch(x0, top, x1 - x0, bottom - top);
		else
			i = Math.max(i, lowerIn(slices.end, slices.n, timeAt(Math.floor(x0) + 1)) - 1);
		x = Math.max(x, x1);
	}
}

let pattern = null;

function hatch(x, y, width, height) {
	if (!pattern) {
		const tile = document.createElement('canvas');
		tile.width = tile.height = 8;
		const t = tile.getContext('2d');
		t.strokeStyle = view.theme.hatch;
		t.lineWidth = 1.5;
		for (const shift of [-8, 0, 8]) {
			t.moveTo(shift, 8);
			t.lineTo(shift + 8, 0);
		}
		t.stroke();
		pattern = ctx.createPattern(tile, 'repeat');
	}
	ctx.fillStyle = pattern;
	ctx.fillRect(x, y, width, height);
}

// Ticks for rows: row(i) is one of n, in order.  Bold ones are seen also where they are alone.
function drawTicks(n, row, y, height, colour, bold) {
	const width = canvas.clientWidth;
	let i = lower(n, k => data.time[row(k)], view.t0);
	while (i < n) {
		const x = xOf(data.time[row(i)]);
		if (x >= width)
			break;
		const column = Math.floor(x);
		const next = Math.max(i + 1, lower(n, k => data.time[row(k)], timeAt(column + 1)));
		ctx.globalAlpha = bold ? 1 : Math.min(1, 0.35 + Math.log2(next - i) * 0.11);
		ctx.fillStyle = colour(i, next);
		ctx.fillRect(column, y, bold || 1, height);
		i = next;
	}
	ctx.globalAlpha = 1;
}

// Names of events, where there is room between them.
function drawNames(cpu, y, height) {
	const t = k => data.time[cpu.rows[k]];
	const first = lower(cpu.nrRows, t, view.t0);
	const end = lower(cpu.nrRows, t, view.t1);
	if (end - first > 60)
		return;
	ctx.fillStyle = view.theme.dim;
	for (let i = first; i < end; i++) {
		const x0 = xOf(t(i)) + 3;
		const x1 = i + 1 < end ? xOf(t(i + 1)) - 3 : canvas.clientWidth;
		const text = data.strings[data.name[cpu.rows[i]]];
		if (ctx.measureText(text).width < x1 - x0)
			ctx.fillText(text, x0, y + height / 2 + 0.5);
	}
}

function logColour(first, end) {
	for (let i = first; i < Math.min(end, first + 64); i++) {
		const level = data.aux[lanes.log[i]] - 1;
		if (level >= 0 && level <= 3)
			return view.theme.crash;
	}
	return view.theme.log;
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
	case 'event':
		drawTicks(cpu.nrRows, i => cpu.rows[i], y, row.height, plain('event'));
		return drawNames(cpu, y, row.height);
	}
	drawSlices(cpu[row.kind].slices, row, y, plain(row.kind), view.theme.bg);
}

function drawLeft(row, y) {
	ctx.fillStyle = view.theme.panel;
	ctx.fillRect(0, y - 1, LEFT - 1, row.height + 2);
	ctx.fillStyle = row.kind === 'task' ? view.theme.fg : view.theme.dim;
	ctx.textAlign = 'right';
	ctx.fillText(row.name, LEFT - 8, y + row.height / 2 + 0.5);
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

const past = { picture: document.createElement('canvas'), key: '' };

// How much happened when, which is the same for every view: drawn once for a width.
function drawPast(width, height, at) {
	const key = [width, height, devicePixelRatio, view.theme.panel].join();
	if (past.key === key)
		return;
	past.key = key;
	const c = fit(past.picture, width, height);
	const counts = [];
	c.fillStyle = view.theme.panel;
	c.fillRect(0, 0, width, height);
	for (let px = 4; px < width - 4; px++)
		counts.push(lowerIn(data.time, data.n, at(px + 1)) - lowerIn(data.time, data.n, at(px)));
	const most = Math.log1p(Math.max(1, ...counts));
	c.fillStyle = view.theme.dim;
	counts.forEach((n, i) => {
		const h = Math.log1p(n) / most * 24;
		c.fillRect(4 + i, height - 4 - h, 1, h);
	});
}

// Where the view lies in all of it.
function drawOverview() {
	const width = overview.clientWidth;
	const height = 34;
	const c = fit(overview, width, height);
	const span = lanes.last - lanes.first;
	const x = t => (t - lanes.first) / span * (width - 8) + 4;
	const at = px => lanes.first + (px - 4) / (width - 8) * span;
	drawPast(width, height, at);
	c.drawImage(past.picture, 0, 0, width, height);
	c.fillStyle = view.theme.hit;
	for (let px = 4, i = 0; i < view.nrHits && px < width; px++) {
		const next = lower(view.nrHits, k => data.time[view.hits[k]], at(px + 1));
		if (next > i)
			c.fillRect(px, 1, 1, 5);
		i = next;
	}
	c.fillStyle = view.theme.mce;
	for (const row of lanes.mces)
		c.fillRect(x(data.time[row]) - 1, 0, 2, 6);
	c.fillStyle = view.theme.crash;
	if (lanes.end >= 0)
		c.fillRect(x(data.time[lanes.end]) - 1, 0, 2, height);
	const a = Math.max(0, x(view.t0));
	const b = Math.min(width, x(view.t1));
	c.globalAlpha = 0.16;
	c.fillStyle = view.theme.accent;
	c.fillRect(a, 0, Math.max(2, b - a), height);
	c.globalAlpha = 1;
	c.strokeStyle = view.theme.accent;
	c.strokeRect(a + 0.5, 0.5, Math.max(2, b - a) - 1, height - 1);
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

// The row that is meant by a place in the picture, and words about its slice.
function pick(x, y) {
	const scrolled = y + element('scroll').scrollTop;
	const row = layout.rows.find(r => scrolled >= r.y - 4 && scrolled < r.y + r.height + 4 && y > RULER);
	const t = timeAt(x);
	if (!row || x < LEFT)
		return { row: nearest(data.n, i => i, t), words: '' };
	const list = { log: lanes.log, mce: lanes.mces, mark: lanes.marks }[row.kind];
	if (list)
		return { row: nearest(list.length, i => list[i], t), words: '' };
	if (row.kind === 'event')
		return { row: nearest(row.cpu.nrRows, i => row.cpu.rows[i], t), words: '' };
	const slices = row.kind === 'task' ? row.cpu.tasks.slices : row.cpu[row.kind].slices;
	const i = slices.at(t);
	if (i < 0)
		return { row: nearest(row.cpu.nrRows, k => row.cpu.rows[k], t), words: '' };
	return {
		row: slices.row[i],
		slices,
		i,
		words: `${data.strings[slices.label[i]]} for ${durationText(slices.end[i] - slices.start[i])} on CPU ${row.cpu.number} │ `,
		task: row.kind === 'task' ? slices.label[i] : 0,
	};
}

function nearest(n, row, t) {
	const i = lower(n, k => data.time[row(k)], t);
	if (!n)
		return -1;
	if (i === n)
		return row(n - 1);
	return i && t - data.time[row(i - 1)] < data.time[row(i)] - t ? row(i - 1) : row(i);
}
