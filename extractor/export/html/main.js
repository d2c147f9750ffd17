// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// What people do to the page.

function clear() {
	element('query').value = '';
	find('');
	view.selected = view.hover = -1;
	view.task = 0;
	view.measure = null;
	colours.clear();
	element('detail').textContent = '';
	ask();
	listAsk();
}

function toggleTable() {
	const root = document.documentElement;
	root.toggleAttribute('data-table');
	element('table').setAttribute('aria-pressed', String(root.hasAttribute('data-table')));
	ask();
	listAsk();
}

function step(by) {
	const from = view.selected >= 0 ? view.selected :
		lowerIn(data.time, data.n, Math.min(view.t1, lanes.last)) - (by > 0 ? 1 : 0);
	select(Math.min(Math.max(from + by, 0), data.n - 1), true);
}

const middle = () => view.selected >= 0 && data.time[view.selected] > view.t0 &&
	data.time[view.selected] < view.t1 ? data.time[view.selected] : (view.t0 + view.t1) / 2;

const KEYS = {
	'+': () => zoom(0.5, middle()), '=': () => zoom(0.5, middle()), '-': () => zoom(2, middle()),
	'f': showAll, 'c': showEnd, 't': toggleTable, 'w': toggleVerdict, '?': () => element('paper').showModal(),
	'j': () => step(1), 'k': () => step(-1), 'n': () => nextHit(true), 'N': () => nextHit(false),
	'/': () => element('query').focus(),
};

const PICTURE_KEYS = {
	ArrowLeft: event => move(event.shiftKey ? -1 : -0.1),
	ArrowRight: event => move(event.shiftKey ? 1 : 0.1),
	ArrowUp: () => zoom(0.7, middle()),
	ArrowDown: () => zoom(1 / 0.7, middle()),
};

const LIST_KEYS = {
	ArrowUp: () => step(-1),
	ArrowDown: () => step(1),
	PageUp: () => step(2 - inSight()),
	PageDown: () => step(inSight() - 2),
	Home: () => select(0, true),
	End: () => select(data.n - 1, true),
};

function onKey(event) {
	const inField = event.target === element('query');
	if (event.ctrlKey || event.metaKey || event.altKey || element('paper').open)
		return;
	if (event.key === 'Escape') {
		clear();
		if (inField)
			element('query').blur();
		return;
	}
	if (inField) {
		if (event.key === 'Enter')
			nextHit(!event.shiftKey);
		return;
	}
	const own = event.target === canvas ? PICTURE_KEYS : event.target === element('list') ? LIST_KEYS :
		event.target === document.body ? PICTURE_KEYS : {};
	const act = own[event.key] || KEYS[event.key];
	if (!act)
		return;
	event.preventDefault();
	act(event);
}

function onWheel(event) {
	event.preventDefault();
	if (event.offsetX < LEFT) {
		element('scroll').scrollTop += event.deltaY;
		return;
	}
	if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
		move((event.deltaX || event.deltaY) / 1000);
	else
		zoom(2 ** (Math.max(-200, Math.min(200, event.deltaY)) / 200), timeAt(event.offsetX));
}

const drag = { from: null, moved: false, measure: false };

function onDown(event) {
	if (event.button || event.offsetX < LEFT)
		return;
	canvas.setPointerCapture(event.pointerId);
	Object.assign(drag, { from: event.offsetX, t0: view.t0, t1: view.t1, moved: false, measure: event.shiftKey });
}

function onMove(event) {
	if (drag.from === null)
		return hover(event);
	drag.moved = drag.moved || Math.abs(event.offsetX - drag.from) > 3;
	if (!drag.moved)
		return;
	if (drag.measure) {
		view.measure = [timeAt(drag.from), timeAt(Math.max(LEFT, event.offsetX))];
		return ask();
	}
	const by = (drag.from - event.offsetX) * (drag.t1 - drag.t0) / (canvas.clientWidth - LEFT);
	show(drag.t0 + by, drag.t1 + by);
}

function hover(event) {
	const found = pick(event.offsetX, event.offsetY);
	if (found.row !== view.hover) {
		view.hover = found.row;
		listAsk();
	}
	if (found.row >= 0)
		sayDetail(found.row, found.words);
	ask();
}

function onUp(event) {
	if (drag.from === null)
		return;
	if (drag.measure && view.measure && drag.moved) {
		show(Math.min(...view.measure), Math.max(...view.measure));
	} else if (!drag.moved) {
		const found = pick(event.offsetX, event.offsetY);
		const pid = found.task ? pidOf(found.task) : 0;
		view.task = pid && pid !== view.task ? pid : 0;
		colours.clear();
		select(found.row, false);
	}
	view.measure = null;
	drag.from = null;
	ask();
}

function onDouble(event) {
	const { slices, i } = pick(event.offsetX, event.offsetY);
	if (!slices)
		return zoom(0.1, timeAt(event.offsetX));
	const width = slices.end[i] - slices.start[i];
	show(slices.start[i] - width * 0.2, slices.end[i] + width * 0.2);
}

function watchPicture() {
	canvas.addEventListener('wheel', onWheel, { passive: false });
	canvas.addEventListener('pointerdown', onDown);
	canvas.addEventListener('pointermove', onMove);
	canvas.addEventListener('pointerup', onUp);
	canvas.addEventListener('pointercancel', () => { drag.from = view.measure = null; });
	canvas.addEventListener('dblclick', onDouble);
	canvas.addEventListener('pointerleave', () => { view.hover = -1; ask(); listAsk(); });
	element('scroll').addEventListener('scroll', ask);
}

function watchOverview() {
	const jump = event => {
		if (!(event.buttons & 1))
			return;
		const t = lanes.first + (event.offsetX - 4) / (overview.clientWidth - 8) * (lanes.last - lanes.first);
		const width = view.t1 - view.t0;
		show(t - width / 2, t + width / 2);
	};
	overview.addEventListener('pointerdown', event => {
		overview.setPointerCapture(event.pointerId);
		jump(event);
	});
	overview.addEventListener('pointermove', jump);
}

function watchSplit() {
	const split = element('split');
	const set = height => {
		element('lanes').style.height = `${Math.max(90, height)}px`;
		ask();
		listAsk();
	};
	split.addEventListener('pointerdown', event => split.setPointerCapture(event.pointerId));
	split.addEventListener('pointermove', event => {
		if (event.buttons & 1)
			set(event.clientY - element('lanes').getBoundingClientRect().top);
	});
	split.addEventListener('keydown', event => {
		const by = { ArrowUp: -20, ArrowDown: 20 }[event.key];
		if (by)
			set(element('lanes').clientHeight + by);
	});
}

function watchTools() {
	const tools = {
		nearer: () => zoom(0.5, middle()), farther: () => zoom(2, middle()), all: showAll, crash: showEnd,
		prev: () => nextHit(false), next: () => nextHit(true), table: toggleTable,
		about: () => element('paper').showModal(),
	};
	for (const [id, act] of Object.entries(tools))
		element(id).addEventListener('click', act);
	let timer = 0;
	element('query').addEventListener('input', event => {
		clearTimeout(timer);
		timer = setTimeout(() => find(event.target.value), 200);
	});
	document.addEventListener('keydown', onKey);
}

function watchTheme() {
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
		readTheme();
		pattern = null;
		ask();
	});
}

async function fillTexts() {
	const head = await textOf('head');
	const tail = await textOf('tail');
	const about = head.split('\n').filter(line => !line.includes('TASK-PID')).map(line => line.replace(/^# ?/, ''));
	const line = start => about.find(l => l.startsWith(start));
	element('head').textContent = about.join('\n').trim();
	element('tail').textContent = tail.split('\n').map(l => l.replace(/^# ?/, '')).join('\n').trim();
	element('tail-title').hidden = !tail.trim();
	element('died').textContent = data.facts.title || line('died: ') || line('ended') || 'A kernel';
	element('kernel').textContent = line('kernel: ') || '';
	document.documentElement.dataset.end = data.facts.how;
}

async function begin() {
	const root = document.documentElement;
	const from = performance.now();
	await loadData();
	lines.begin();
	buildLanes();
	readTheme();
	layOut();
	await fillTexts();
	await fillVerdict();
	chooseHeight();
	listBegin();
	showEnd();
	listTo(lanes.end >= 0 ? lanes.end - Math.floor(inSight() * 0.7) : data.n);
	if (lines.nodes.length)
		await lines.block(Math.floor(list.first / TEXT_ROWS));
	listDraw();
	watchPicture();
	watchOverview();
	watchSplit();
	watchTools();
	watchTheme();
	new ResizeObserver(() => { ask(); listAsk(); }).observe(document.body);
	draw();
	root.dataset.rows = data.n;
	root.dataset.loaded = Math.round(performance.now() - from);
	root.dataset.state = 'ready';
}

begin().catch(error => {
	document.documentElement.dataset.state = 'failed';
	element('died').textContent = `This page cannot be shown: ${error.message}`;
});
