// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// What is meant by a place in the picture.

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
	if (row.kind === 'guest')
		return pickOfGuest(row.guest, t);
	if (row.vcpu)
		return pickOfThread(row, t);
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
		words: `${data.strings[slices.label[i]]} for ${durationText(slices.end[i] - slices.start[i])} on ${row.cpu.name} │ `,
		task: row.kind === 'task' ? slices.label[i] : 0,
	};
}

function pickOfGuest(guest, t) {
	const all = guest.log.concat(guest.ends).sort((a, b) => a - b);
	return { row: nearest(all.length, i => all[i], t), words: '' };
}

// Where the host ran a virtual CPU, and where it did not.
function pickOfThread(row, t) {
	const slices = row.kind === 'ran' ? row.vcpu.ran : row.vcpu.waits;
	const i = slices.at(t);
	if (i < 0)
		return { row: nearest(data.n, k => k, t), words: '' };
	return {
		row: slices.row[i],
		slices,
		i,
		words: `${row.vcpu.name}: ${data.strings[slices.label[i]]}${row.kind === 'ran' ?
			` for ${durationText(slices.end[i] - slices.start[i])}` : ''} │ `,
		task: 0,
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
