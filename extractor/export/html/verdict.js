// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// Why it died, above the picture.  Its evidence and the rows lead to each other.

const STRENGTHS = {
	shown: 'the kernel, the hardware or the trace says it',
	likely: 'one step is a conclusion',
	possible: 'it fits, and so do other causes',
	'not known': 'nothing here says why',
};

const verdict = {
	rows: [],		// of the evidence, in order
	items: new Map(),	// row: its piece of evidence
};

function put(parent, name, className, text) {
	const node = parent.appendChild(document.createElement(name));
	node.className = className;
	node.textContent = text;
	return node;
}

function putEvidence(piece, row) {
	const item = put(element('evidence'), 'li', '', '');
	const link = put(item, row === null ? 'span' : 'button', 'piece', '');
	put(link, 'span', 'when', piece.before_end_ns === null ? '' : timeText(-piece.before_end_ns));
	put(link, 'span', '', piece.text);
	if (row === null)
		return;
	link.dataset.leads = row;
	link.addEventListener('click', () => select(row, true));
	if (!verdict.items.has(row))
		verdict.rows.push(row);
	verdict.items.set(row, link);
}

function putSentences(title, sentences) {
	if (!sentences.length)
		return;
	put(element('more'), 'h2', '', title);
	const list = put(element('more'), 'ul', '', '');
	for (const sentence of sentences)
		put(list, 'li', '', sentence);
}

// The piece of evidence that the selected row is.
function showPiece(row) {
	for (const link of verdict.items.values())
		link.classList.remove('selected');
	const link = verdict.items.get(row);
	if (!link)
		return;
	link.classList.add('selected');
	link.scrollIntoView({ block: 'nearest' });
}

function toggleVerdict() {
	const root = document.documentElement;
	root.toggleAttribute('data-no-why');
	element('whether').setAttribute('aria-pressed', String(!root.hasAttribute('data-no-why')));
	ask();
	listAsk();
}

async function fillVerdict() {
	const found = JSON.parse(await textOf('verdict'));
	element('claim').textContent = found.claim;
	element('strength').textContent = found.strength;
	element('strength').dataset.strength = found.strength;
	element('strength').title = STRENGTHS[found.strength] || '';
	element('open').textContent = found.why_not_more || '';
	element('signature').textContent = found.signature;
	found.evidence.forEach((piece, i) => putEvidence(piece, found.rows[i]));
	verdict.rows.sort((a, b) => a - b);
	putSentences('Next', found.next);
	putSentences('Also found; nothing shows that it has to do with the crash', found.also);
	putSentences('Looked for, and not found', found.not_found);
	putSentences('Not in this file', found.missing);
	element('whether').addEventListener('click', toggleVerdict);
}
