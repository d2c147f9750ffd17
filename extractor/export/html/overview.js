// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';

// All of the time in one strip, and where the view lies in it.

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
