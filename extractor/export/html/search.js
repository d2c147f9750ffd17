// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// Every line that has the words, whatever their case.  Blocks are looked through
// one after the other; a new search ends the one that runs.

const search = { number: 0, done: true };

function addHit(row) {
	if (view.nrHits === view.hits.length) {
		const more = new Uint32Array(Math.max(1024, 2 * view.nrHits));
		more.set(view.hits);
		view.hits = more;
	}
	view.hits[view.nrHits++] = row;
}

function sayFound() {
	const i = view.selected >= 0 ? lowerIn(view.hits, view.nrHits, view.selected) : -1;
	const at = i >= 0 && i < view.nrHits && view.hits[i] === view.selected ? `${i + 1} of ` : '';
	element('found').textContent = !view.query ? '' :
		`${at}${view.nrHits}${search.done ? '' : '…'}${view.nrHits || !search.done ? '' : ' found'}`;
	document.documentElement.dataset.hits = search.done ? view.nrHits : '';
}

async function find(query) {
	const number = ++search.number;
	const wanted = query.toLowerCase();
	view.query = query;
	view.nrHits = 0;
	search.done = !query;
	sayFound();
	for (let i = 0; query && i < lines.nodes.length; i++) {
		const block = await lines.unpack(i);
		if (number !== search.number)
			return;
		block.forEach((line, n) => {
			if (line.toLowerCase().includes(wanted))
				addHit(i * TEXT_ROWS + n);
		});
		if (i % 64 === 63) {
			sayFound();
			ask();
		}
	}
	search.done = true;
	sayFound();
	ask();
	listAsk();
}

// From the selection, else from the right edge of the view; around at the end.
function nextHit(forward) {
	if (!view.nrHits)
		return;
	const from = view.selected >= 0 ? view.selected : lowerIn(data.time, data.n, view.t1);
	let i = lowerIn(view.hits, view.nrHits, forward ? from + 1 : from);
	if (!forward)
		i--;
	select(view.hits[(i + view.nrHits) % view.nrHits], true);
	sayFound();
}
