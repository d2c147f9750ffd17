// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A station's timer is armed again between del_timer_sync() and kfree(); other data lies there when it expires.
 *
 * pattern: use after free by a timer re-armed after del_timer_sync(); the slot was reused
 * upstream: the class of timer_shutdown_sync() (6.2), which was made for it; hci_uart, brcmfmac, mac80211 sta timers
 * finding: the timer wheel held the timer of a struct sta (kmalloc-512) that was freed and whose memory is now text of a survey entry ("SSID=..."); sta_remove() (sta-teardown) had deleted the timer, but sta_rx() (sta-rx), which still used the station it had looked up without a reference, armed it again in sta_seen() before the kfree()
 * never: the idle task, the interrupted task or the timer core as the cause; the survey code as the one that wrote outside its object; an overrun as certain
 * guest: insmod /test/sta-age.ko
 */
#include "crash.h"

struct sta {
	struct list_head node;
	u8 addr[6];
	u16 aid;
	u32 rssi, seen;
	struct timer_list age;
	u8 rates[300];
};

struct survey {
	struct list_head node;
	char text[sizeof(struct sta) - sizeof(struct list_head)];
};

static LIST_HEAD(stations);
static LIST_HEAD(surveys);
static DEFINE_SPINLOCK(sta_lock);
static u32 aged;

static void sta_aged(struct timer_list *t)
{
	struct sta *sta = from_timer(sta, t, age);

	sta->rssi = 0;
	aged++;
}

static noinline struct sta *sta_find(u16 aid)
{
	struct sta *sta, *found = NULL;

	spin_lock_bh(&sta_lock);
	list_for_each_entry(sta, &stations, node)
		if (sta->aid == aid)
			found = sta;
	spin_unlock_bh(&sta_lock);
	return found;
}

static noinline void sta_seen(struct sta *sta)
{
	sta->seen++;
	mod_timer(&sta->age, jiffies + 4 * HZ);
}

static int sta_rx(void *unused)
{
	struct sta *sta;

	for (;;) {
		sta = sta_find(20);
		if (sta) {
			msleep(280);		/* average over the burst */
			sta_seen(sta);
		} else {
			schedule_timeout_idle(HZ);
		}
	}
	return 0;
}

static noinline void sta_remove(struct sta *sta)
{
	spin_lock_bh(&sta_lock);
	list_del(&sta->node);
	spin_unlock_bh(&sta_lock);
	del_timer_sync(&sta->age);
	msleep(400);
	kfree(sta);
}

static int sta_teardown(void *unused)
{
	struct sta *sta;

	msleep(2000);
	sta = sta_find(20);
	if (sta)
		sta_remove(sta);
	return 0;
}

static int survey_run(void *unused)
{
	struct survey *s;
	int i, at;

	for (i = 0; i < 4000; i++) {
		if (!(i % 8))
			msleep(20);
		s = kmalloc(sizeof(*s), GFP_KERNEL);
		if (!s)
			break;
		for (at = 0; at + 24 < sizeof(s->text); at += 22)
			scnprintf(s->text + at, 24, "SSID=guest-%05d chan=%02d", i, i % 13);
		list_add_tail(&s->node, &surveys);
	}
	return 0;
}

static int __init sta_init(void)
{
	struct sta *sta;
	int i;

	for (i = 1; i < 64; i++) {
		sta = kzalloc(sizeof(*sta), GFP_KERNEL);
		if (!sta)
			return -ENOMEM;
		sta->aid = i;
		timer_setup(&sta->age, sta_aged, 0);
		list_add_tail(&sta->node, &stations);
	}
	run_thread(sta_rx, NULL, 0, "sta-rx");
	run_thread(sta_teardown, NULL, 1, "sta-teardown");
	return run_thread(survey_run, NULL, 1, "sta-survey");
}
module_init(sta_init);
