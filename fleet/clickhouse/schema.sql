-- SPDX-License-Identifier: GPL-2.0-or-later
-- The tables of fleet/schema.sql on ClickHouse; docs/fleet.md. What is inserted twice counts once:
-- rows with the same key are merged, and the queries count keys.

-- id: of a capture, host and generation, or host and name. key: a number for it. second: of the crash,
-- 0 if it is not known or absurd.
CREATE TABLE IF NOT EXISTS trace (
	id String,
	key UInt64 MATERIALIZED cityHash64(id),
	host String,
	name String,
	boot_id Nullable(String),
	kernel String,
	kernel_version Nullable(String),
	machine Nullable(String),
	recorder Nullable(String),
	cpus Nullable(Int64),
	crash_ts_ns Nullable(Int64),
	crash_wall_ns Nullable(Int64),
	crash_cpu Nullable(Int64),
	crash_pid Nullable(Int64),
	crash_comm Nullable(String),
	crash_reason Nullable(String),
	events UInt64,
	unfinished UInt64,
	lost UInt64,
	damage_notes UInt64,
	host_claimed UInt8,
	signature String,
	kind String,
	claim String,
	strength String,
	day Date,
	second UInt32
) ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(day) ORDER BY (signature, second, key);

-- An archive that was looked at, and the capture that its newest generation is. seconds: of its events.
CREATE TABLE IF NOT EXISTS archive (
	name String,
	claimed_host String,
	generation Nullable(String),
	id String,
	seconds Float64
) ENGINE = ReplacingMergeTree ORDER BY name;

-- The events of the last seconds, if load was asked for them. nr: 1 is the last one of its capture, however
-- many seconds were asked for.
CREATE TABLE IF NOT EXISTS event (
	id String,
	key UInt64 MATERIALIZED cityHash64(id),
	signature String,
	nr UInt64,
	ts_ns Nullable(Int64),
	wall_ns Nullable(Int64),
	before_crash_ns Nullable(Int64),
	cpu Nullable(Int64),
	channel Nullable(String),
	event Nullable(String),
	pid Nullable(Int64),
	comm Nullable(String),
	fields Nullable(String),
	marks Nullable(String),
	lost Nullable(UInt64),
	day Date,
	second UInt32
) ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(day) ORDER BY (signature, second, key, nr);
