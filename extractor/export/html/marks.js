// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// What a row is drawn of: slices, names in them, gaps, ticks.

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
