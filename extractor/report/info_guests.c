// SPDX-License-Identifier: GPL-2.0-or-later
/* "epitaph info" of a host: its virtual machines. */
#include <stdio.h>
#include <string.h>

#include "kvm/guests.h"
#include "info.h"
#include "json_common.h"
#include "phrase.h"

/* A host's kernel is in a dump beside its region too; a region alone has none. */
static const struct kernel *host_kernel(const struct postmortem *pm, struct kernel **own)
{
	*own = NULL;
	if (pm->kernel || !dump_has_addresses(pm->dump))
		return pm->kernel;
	return kernel_open(own, pm->dump, NULL) ? NULL : *own;
}

struct host_guests {
	struct kernel *own;
	struct kvm_guests *guests;
};

static void take_notes(struct postmortem *pm, const struct damage_notes *notes)
{
	for (u64 i = 0; i < notes->kept; i++)
		damage_notes_add(pm->recording ? &pm->recording->generation->notes : &pm->notes, NOTE_NOWHERE,
				 "the kernel: %s", notes->list[i].text);
}

static void open_host_guests(struct host_guests *host, struct postmortem *pm)
{
	const struct kernel *kernel = host_kernel(pm, &host->own);

	host->guests = NULL;
	if (!kernel || kvm_guests_open(&host->guests, kernel, true, NULL))
		return;
	take_notes(pm, &host->guests->notes);
	for (u32 i = 0; i < host->guests->nr; i++)
		take_notes(pm, &host->guests->list[i].notes);
}

static void close_host_guests(struct host_guests *host)
{
	kvm_guests_close(host->guests);
	kernel_close(host->own);
}

static void put_guest_vcpus(const struct kvm_guest *guest)
{
	printf("%u vCPU%s", guest->nr_vcpus, plural(guest->nr_vcpus));
	for (u32 i = 0; i < guest->nr_vcpus && i < 4; i++)
		printf("%s %lld", i ? "," : guest->nr_vcpus > 1 ? ", threads" : ", thread", guest->vcpus[i].pid);
	if (guest->nr_vcpus > 4)
		fputs(" ...", stdout);
}

static void put_guest(const struct kvm_guest *guest)
{
	char size[32], pid[24];
	const char *name = *guest->name ? guest->name : pid;

	snprintf(pid, sizeof(pid), "%lld", guest->pid);
	text_size(size, sizeof(size), guest->size);
	info_key("guest");
	if (*guest->name) {
		text_put(stdout, guest->name, strlen(guest->name));
		fputs(", ", stdout);
	}
	if (*guest->uuid)
		printf("UUID %s, ", guest->uuid);
	fputs("process ", stdout);
	if (*guest->comm) {
		text_put(stdout, guest->comm, strlen(guest->comm));
		putchar('-');
	}
	printf("%lld, ", guest->pid);
	put_guest_vcpus(guest);
	printf(", %s of memory, @0x%llx; see --guest ", size, guest->va);
	text_put(stdout, name, strlen(name));
	putchar('\n');
}

void info_guests_text(struct postmortem *pm)
{
	struct host_guests host;

	open_host_guests(&host, pm);
	for (u32 i = 0; host.guests && i < host.guests->nr; i++)
		put_guest(&host.guests->list[i]);
	close_host_guests(&host);
}

static void json_vcpu(struct json *j, const struct kvm_vcpu *vcpu)
{
	json_open(j, NULL, '{');
	json_u64(j, "id", vcpu->id);
	json_known(j, "pid", vcpu->pid, vcpu->pid >= 0);
	json_known(j, "tsc_offset", vcpu->tsc_offset, vcpu->has_tsc);
	json_known(j, "tsc_ratio", vcpu->tsc_ratio, vcpu->has_tsc && vcpu->tsc_ratio);
	json_close(j, '}');
}

static void json_guest(struct json *j, const struct kvm_guest *guest)
{
	json_open(j, NULL, '{');
	json_str(j, "name", *guest->name ? guest->name : NULL);
	json_str(j, "uuid", *guest->uuid ? guest->uuid : NULL);
	json_known(j, "pid", guest->pid, guest->pid >= 0);
	json_text(j, "comm", guest->comm, strlen(guest->comm));
	json_u64(j, "memory_size", guest->size);
	json_open(j, "vcpus", '[');
	for (u32 i = 0; i < guest->nr_vcpus; i++)
		json_vcpu(j, &guest->vcpus[i]);
	json_close(j, ']');
	json_close(j, '}');
}

void info_guests_json(struct json *j, struct postmortem *pm)
{
	struct host_guests host;

	if (!dump_has_addresses(pm->dump))
		return;
	open_host_guests(&host, pm);
	json_open(j, "guests", '[');
	for (u32 i = 0; host.guests && i < host.guests->nr; i++)
		json_guest(j, &host.guests->list[i]);
	json_close(j, ']');
	close_host_guests(&host);
}
