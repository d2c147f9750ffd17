// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// What is shown, and of what; drawing is asked for, and done once a frame.

const view = {
	t0: 0,		// times at the edges
	t1: 1,
	selected: -1,	// rows
	hover: -1,
	task: 0,	// pid of the task that stands out, or 0
	measure: null,	// [from, to] while it is dragged
	hits: new Uint32Array(0),
	nrHits: 0,
	query: '',
	asked: false,
	theme: {},
};

const SHORTEST = 20;		// ns that the view may be narrowed to

function element(id) {
	return document.getElementById(id);
}

function readTheme() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ['bg', 'panel', 'line', 'fg', 'dim', 'accent', 'crash', 'mce', 'lost',
			    'mark', 'why', 'irq', 'soft', 'sys', 'event', 'log', 'hit', 'select', 'hatch',
			    'light', 'sat', 'mono'])
		view.theme[name] = style.getPropertyValue('--' + name).trim();
	colours.clear();
}

const colours = new Map();

// The same for the same thread, whatever it is called.
function colourOf(task) {
	const pid = pidOf(task);
	let colour = colours.get(pid);
	if (!colour) {
		const hue = (Number(pid) * 137.508 + 200) % 360 || 0;
		const faded = view.task && view.task !== pid;
		colour = `hsl(${hue.toFixed(1)} ${view.theme.sat} ${view.theme.light}${faded ? ' / 22%' : ''})`;
		colours.set(pid, colour);
	}
	return colour;
}

function ask() {
	if (view.asked)
		return;
	view.asked = true;
	requestAnimationFrame(() => {
		view.asked = false;
		draw();
	});
}

function show(t0, t1) {
	const margin = (lanes.last - lanes.first) * 0.02 + 1000;
	const low = lanes.first - margin;
	const high = lanes.last + margin;
	const width = Math.min(Math.max(t1 - t0, SHORTEST), high - low);
	const middle = (t0 + t1) / 2;
	view.t0 = Math.min(Math.max(middle - width / 2, low), high - width);
	view.t1 = view.t0 + width;
	ask();
}

function zoom(factor, at) {
	show(at - (at - view.t0) * factor, at + (view.t1 - at) * factor);
}

function move(part) {
	const by = part * (view.t1 - view.t0);
	show(view.t0 + by, view.t1 + by);
}

function showAll() {
	show(lanes.first - 1e9, lanes.last + 1e9);
}

// The last seconds, the end at the right edge; a view of few events is widened.
function showEnd() {
	let width = 1e9;
	const rows = t => data.n - lowerIn(data.time, data.n, t);
	while (width < lanes.last - lanes.first && rows(-width) < 200)
		width *= 4;
	const right = data.facts.known_end && lanes.first < 0 ? 0 : lanes.last;
	width = Math.min(width, right - lanes.first);
	show(right - width, right + width * 0.03);
}

// Into the view, if it is not, and to the table.
function select(row, bring) {
	if (row < 0 || row >= data.n)
		return;
	view.selected = row;
	const t = data.time[row];
	const width = view.t1 - view.t0;
	if (bring && (t < view.t0 + width * 0.02 || t > view.t1 - width * 0.02))
		show(t - width / 2, t + width / 2);
	listShow(row);
	sayDetail(row);
	showPiece(row);
	ask();
}

function secondsText(ns, digits) {
	return (Math.abs(ns) / 1e9).toFixed(digits);
}

function timeText(ns, digits) {
	return `T${ns <= 0 ? '-' : '+'}${secondsText(ns, digits === undefined ? 6 : digits)}`;
}

function durationText(ns) {
	for (const [unit, name] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']])
		if (ns >= unit)
			return `${(ns / unit).toPrecision(4)} ${name}`;
	return `${Math.round(ns)} ns`;
}

function sayDetail(row, before) {
	const text = lines.get(row, () => sayDetail(row, before));
	if (text !== undefined)
		element('detail').textContent = (before || '') + text.trim();
}
