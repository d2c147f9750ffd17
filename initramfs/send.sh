# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of init: the trace to another machine, docs/send.md.
#
# Kernel command line, or /etc/epitaph/send.conf (TO=, HOST=, IDENTITY=, KNOWN_HOSTS=):
#	capture.send=TARGET		sftp://[USER@]ADDRESS[:PORT][/PATH]
#	capture.ip=ADDRESS/PREFIX[@GATEWAY]	default: asks by DHCP
#	capture.host=NAME		default: the address of the network card

send_within=30

# What its memory can spare beside what still has to be done.
spare_kib() {
	awk '/^MemAvailable:/ { print $2 - 24576 }' /proc/meminfo
}

send_is_wanted() {
	[ -n "$(param capture.send)" ] || grep -qs '^TO=' /etc/epitaph/send.conf
}

first_card() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		for card in /sys/class/net/*; do
			[ ! -e "$card/device" ] || { echo "${card##*/}"; return; }
		done
		usleep 200000
	done
	return 1
}

set_address() {
	ip address add "${1%@*}" dev "$2" || return
	case $1 in
	*@*) ip route add default via "${1#*@}" ;;
	esac
}

network_up() {
	command -v sftp >/dev/null || {
		say "ERROR the trace is not sent: this initramfs has no sftp; put behind it what make -C initramfs network makes"
		return 1
	}
	# ssh asks who it runs as.
	mkdir -p /etc
	[ -e /etc/passwd ] || echo 'root:x:0:0::/:/bin/sh' >/etc/passwd
	while read -r module; do
		insmod "/lib/modules/$module" 2>/dev/null
	done </lib/modules/order.net
	card=$(first_card) || {
		say "ERROR the trace is not sent: no network card that this initramfs knows (virtio_net, e1000)"
		return 1
	}
	ip link set lo up
	ip link set "$card" up
	wanted=$(param capture.ip)
	if [ -n "$wanted" ]; then
		set_address "$wanted" "$card"
	else
		udhcpc -i "$card" -n -q -t 4 -T 2 -s /bin/dhcp >/tmp/said 2>&1
	fi || {
		say "ERROR the trace is not sent: $card gets no address; capture.ip=ADDRESS/PREFIX@GATEWAY gives it one"
		return 1
	}
}

# In memory, as long as there is enough.
save_in_memory() {
	mount -t tmpfs -o "mode=0700,size=$(spare_kib)k" tmpfs /save &&
		epitaph save -o /save/trace /proc/vmcore >/tmp/said 2>&1
	[ -f /save/trace/region ] || {
		say "ERROR the trace is not sent: no memory for a copy ($(spare_kib) KiB can be spared): crashkernel= must be larger"
		return 1
	}
}

# send_trace [DIR]: what is saved there, or in memory.
send_trace() {
	send_is_wanted || return 0
	network_up || return
	if [ $# = 0 ]; then
		save_in_memory || return
		set -- /save/trace
	fi
	host=$(param capture.host)
	grep -qs '^HOST=' /etc/epitaph/send.conf ||
		set -- --host "${host:-$(tr -d : <"/sys/class/net/$card/address")}" "$@"
	target=$(param capture.send)
	[ -z "$target" ] || set -- --to "$target" "$@"
	if epitaph send --within $send_within "$@" >/tmp/said 2>&1; then
		say "trace sent $(uptime_s) s after this kernel started: $(cat /tmp/said)"
	else
		say "ERROR the trace is not sent: $(cat /tmp/said)"
		say "what is on a disk can be sent from there: epitaph send; epitaph send --check says whether the server is reached"
	fi
}
