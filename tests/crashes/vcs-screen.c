// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Who reads a screen takes its pointer and then waits for the lock.  Who has the lock takes the screen away and frees it, as it
 * may, under the lock.
 *
 * pattern: a pointer is read before the lock that guards it is taken
 * upstream: drawn from Debian's changelog: "vc_screen: move load of struct vc_data pointer in vcs_read() to avoid UAF"
 * finding: screen_read() of vcs-reader used a screen that screen_free() of vt-close freed under console_mutex: it had read screens[] before it took console_mutex
 * never: screen_free(), which cleared the pointer and freed under the lock; font_load(), which has the memory now by right
 * must: ^likely: screen_read\(\) .*freed under it: vt-close-[0-9]+
 * not: font_load\(\) (freed|overwrote)|twice|deadlock
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/vcs-screen.ko
 */
#include "crash.h"

struct screen {
	u16 rows, cols;
	u32 num;
	u8 attr[120];
	u16 *origin;
	u64 saved[47];
};

static DEFINE_MUTEX(console_mutex);
static struct screen *screens[4];
static u16 text[80 * 25];
static char *fonts[64];
static u32 shown;

static noinline struct screen *screen_new(u32 num)
{
	struct screen *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	s->rows = 25;
	s->cols = 80;
	s->num = num;
	s->origin = text;
	return s;
}

static noinline u32 screen_read(u32 num)
{
	struct screen *s = READ_ONCE(screens[num]);
	u32 i, sum = 0;

	if (!s)
		return 0;
	mutex_lock(&console_mutex);
	for (i = 0; i < 80; i++)
		sum += s->origin[i];
	mutex_unlock(&console_mutex);
	return sum;
}

static noinline void screen_free(u32 num)
{
	struct screen *s = screens[num];

	WRITE_ONCE(screens[num], NULL);
	kfree(s);
}

static noinline void font_load(int i)
{
	fonts[i] = kmalloc(512, GFP_KERNEL);
	if (fonts[i])
		memset(fonts[i], 0x3c, 512);
}

static int vcs_reader(void *unused)
{
	for (;;) {
		WRITE_ONCE(shown, screen_read(3));
		usleep_range(500, 900);
	}
	return 0;
}

static int vt_close(void *unused)
{
	int i;

	WRITE_ONCE(screens[3], screen_new(3));
	for (i = 0; i < 20; i++) {
		msleep(50);
		mutex_lock(&console_mutex);
		text[i] = i;
		mutex_unlock(&console_mutex);
	}
	mutex_lock(&console_mutex);
	msleep(20);		/* the last lines are drawn */
	screen_free(3);
	for (i = 0; i < ARRAY_SIZE(fonts); i++)
		font_load(i);
	mutex_unlock(&console_mutex);
	return 0;
}

static int __init vcs_init(void)
{
	BUILD_BUG_ON(sizeof(struct screen) != 512);
	run_thread(vcs_reader, NULL, 0, "vcs-reader");
	return run_thread(vt_close, NULL, 1, "vt-close");
}
module_init(vcs_init);
