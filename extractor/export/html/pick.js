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
