// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// The table: lines of the report.  Only those in sight are in the document; a
// list taller than a browser can scroll is scrolled by share.

const LINE = 18;
const TALLEST = 8000000;

const CLASSES = {
	[KIND.LOST]: 'lost', [KIND.DAMAGED]: 'lost', [KIND.UNFINISHED]: 'lost', [KIND.CRASH]: 'crash',
	[KIND.END]: 'mark', [KIND.MCE]: 'mce', [KIND.MARK]: 'mark', [KIND.LOG]: 'log',
	[KIND.NOT_RUN]: 'lost',
};

const list = {
	first: 0,	// row at the top; a fraction of it may be above
	pool: [],
	asked: false,
};

function inSight() {
	return Math.ceil(element('list').clientHeight / LINE) + 1;
}

function lastFirst() {
	return Math.max(0, data.n - Math.floor(element('list').clientHeight / LINE));
}

function roomHeight() {
	return Math.min(TALLEST, data.n * LINE);
}

function isExact() {
	return data.n * LINE <= TALLEST;
}

function listAsk() {
	if (list.asked)
		return;
	list.asked = true;
	requestAnimationFrame(() => {
		list.asked = false;
		listDraw();
	});
}

function isHit(row) {
	const i = lowerIn(view.hits, view.nrHits, row);
	return i < view.nrHits && view.hits[i] === row;
}

function drawLine(node, row) {
	const text = row < data.n ? lines.get(row, listAsk) : '';
	const names = [CLASSES[data.kind[row]] || ''];
	if (row === view.selected)
		names.push('selected');
	if (row === view.hover)
		names.push('hover');
	if (verdict.items.has(row))
		names.push('evidence');
	if (view.nrHits && isHit(row))
		names.push('hit');
	node.className = names.join(' ');
	node.textContent = text === undefined ? '…' : text;
	node.dataset.row = row;
	node.id = `row-${row}`;
	node.setAttribute('role', 'option');
	node.setAttribute('aria-selected', String(row === view.selected));
	node.hidden = row >= data.n;
}

function listDraw() {
	const box = element('lines');
	const n = inSight();
	while (list.pool.length < n)
		list.pool.push(box.appendChild(document.createElement('div')));
	list.first = Math.min(Math.max(0, list.first), lastFirst());
	list.pool.forEach((node, i) => drawLine(node, i < n ? list.first + i : data.n));
	if (view.selected >= 0)
		element('list').setAttribute('aria-activedescendant', `row-${view.selected}`);
}

function listFromScroll() {
	const node = element('list');
	const share = node.scrollTop / Math.max(1, node.scrollHeight - node.clientHeight);
	list.first = isExact() ? Math.round(node.scrollTop / LINE) : Math.round(share * lastFirst());
	listAsk();
}

function listTo(first) {
	const node = element('list');
	list.first = Math.min(Math.max(0, first), lastFirst());
	const top = isExact() ? list.first * LINE :
		list.first / Math.max(1, lastFirst()) * (node.scrollHeight - node.clientHeight);
	if (Math.abs(node.scrollTop - top) >= 1) {
		list.ignore = true;
		node.scrollTop = top;
	}
	listAsk();
}

function listShow(row) {
	const n = inSight() - 2;
	if (row < list.first || row >= list.first + n)
		listTo(row - Math.floor(n / 2));
	else
		listAsk();
}

function listBegin() {
	const node = element('list');
	element('room').style.height = `${roomHeight()}px`;
	element('columns').textContent = (data.facts.guests ? 'WHERE'.padEnd(18) : '') +
		'           TASK-PID     CPU#  .....        TIME  FUNCTION';
	node.addEventListener('scroll', () => {
		element('columns').scrollLeft = node.scrollLeft;
		if (list.ignore)
			list.ignore = false;
		else
			listFromScroll();
	});
	node.addEventListener('wheel', event => {
		if (isExact() || !event.deltaY)
			return;
		event.preventDefault();
		listTo(list.first + Math.sign(event.deltaY) * 3);
	}, { passive: false });
	node.addEventListener('click', event => {
		const line = event.target.closest('[data-row]');
		if (line)
			select(Number(line.dataset.row), true);
	});
}
