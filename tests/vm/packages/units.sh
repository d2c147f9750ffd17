#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The units as Debian's systemd confines them, with the tool as it is packaged: what each
# does is done, and what reads a dead kernel's bytes is locked up as it is elsewhere.  In a
# container: files stand for the recorder and for /proc/vmcore, and captures are sent to nginx
# in the same container.

# shellcheck disable=SC2317 # check calls them
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-debian.sh"
# shellcheck source=tests/lib/lib-sshd.sh
. "$top/tests/lib/lib-sshd.sh"

root=$out/root

mount_root() {
	mkdir -p "$out/upper" "$out/work" "$root"
	mount -t overlay overlay -o "lowerdir=$debian,upperdir=$out/upper,workdir=$out/work" "$root"
	trap 'umount "$root"; rm -rf "$out/upper" "$out/work"' EXIT
}

# With the libraries that it is linked with.
install_tool() {
	nginx=$(command -v nginx) || nginx=$(unpacked nginx usr/sbin/nginx)
	install -m 755 "$epitaph" "$root/usr/bin/epitaph"
	install -m 755 "$nginx" "$root/srv/nginx"
	for program in "$epitaph" "$top/extractor/epitaph-upload" "$nginx"; do
		ldd "$program" | awk '$2 == "=>" { print $3 }' | while read -r library; do
			[ -e "$root$library" ] || cp -L "$library" "$root/usr$library"
		done
	done
	install -D -m 755 "$top/kdump-hooks/capture" "$root/usr/lib/epitaph/capture"
	install -m 755 "$top/kdump-hooks/send" "$root/usr/lib/epitaph/send"
	install -m 755 "$top/extractor/epitaph-upload" "$root/usr/lib/epitaph/epitaph-upload"
	install -m 644 "$top/extractor/epitaph-archive.so" "$root/usr/lib/epitaph/epitaph-archive.so"
}

# Keys and certificates, where docs/send.md has them.
make_keys() (
	umask 077
	cd "$root/etc/epitaph"
	openssl rand -hex 32 >token
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$root/srv/server.key" \
		-out server.pem -days 2 -subj /CN=server -addext subjectAltName=IP:127.0.0.1 2>"$out/openssl"
	printf '%s\n' TO=https://127.0.0.1:7788/in TOKEN=fleet HOST=web1 CA=/etc/epitaph/server.pem \
		WITHIN=1 >"$root/srv/send.conf"
	mkdir -p "$root/srv/www/in" "$root/srv/www/tmp"
	cat >"$root/srv/nginx.conf" <<-END
		daemon off;
		user root;
		pid /srv/nginx.pid;
		events { }
		http {
			access_log off;
			client_body_temp_path /srv/www/tmp;
			proxy_temp_path /srv/www/tmp/p; fastcgi_temp_path /srv/www/tmp/f; uwsgi_temp_path /srv/www/tmp/u; scgi_temp_path /srv/www/tmp/s;
			map_hash_bucket_size 128;
			map \$http_authorization \$known { default 0; "Bearer $(cat token)" 1; }
			server {
				listen 127.0.0.1:7788 ssl;
				ssl_certificate /etc/epitaph/server.pem;
				ssl_certificate_key /srv/server.key;
				root /srv/www;
				client_max_body_size 1g;
				location /in/ { dav_methods PUT; if (\$known = 0) { return 401; } }
			}
		}
	END
)

# generation NUMBER OFFSET STATE: in the directory of the recorder
generation() {
	mkdir -p "generations/$1"
	echo "$2" >"generations/$1/offset"
	echo 20480 >"generations/$1/size"
	echo 1700000000000000000 >"generations/$1/start"
	echo "$3" >"generations/$1/state"
	: >"generations/$1/harvested"
}

# A recorder of two rings and one earlier generation, and what was saved long ago.
make_recorder() {
	"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" "$root/srv/device"
	mkdir -p "$root/srv/sys/channels/main"
	cd "$root/srv/sys"
	echo "0x20000000 16777216 memmap" >region
	echo 7 >current
	echo "0 0" >lost
	for cpu in 0 1; do
		printf 'horizon_ns 252000000000\nwhole 0\nevents 500\nspan_ns 250000000\n' >channels/main/cpu$cpu
	done
	generation 3 0 evidence
	generation 5 20480 ended
	mv generations/5 generations/5-later
	mkdir evidence ended
	ln -s ../generations/3 evidence/3
	ln -s ../generations/4 ended/4
	cd "$top"
	mkdir -p "$root/etc/epitaph" "$root/var/lib/epitaph/generation-1-20200101T000000Z"
	echo COUNT=1 >"$root/etc/epitaph/retention.conf"
	echo old >"$root/var/lib/epitaph/generation-1-20200101T000000Z/region"
	touch -d 2020-01-01 "$root/var/lib/epitaph/generation-1-20200101T000000Z/region"
	mkdir -p "$root/var/crash/epitaph-generation-1-20200101T000000Z" "$root/var/crash/202001010000"
	echo old >"$root/var/crash/epitaph-generation-1-20200101T000000Z/region"
	touch -d 2020-01-02 "$root/var/crash/epitaph-generation-1-20200101T000000Z/region"
}

# Only what they find is another: conditions, paths, and how often.
install_units() {
	units=$root/etc/systemd/system
	sed -e '/^ConditionPath/d' -e '/^ExecStartPre/d' -e '/^ExecCondition/d' -e 's/^WatchdogSec=.*/WatchdogSec=4/' \
		-e 's,^ExecStart=.*,& --every 1 --sysfs /srv/sys,' \
		"$top/systemd/epitaph.service" >"$units/epitaph.service"
	for unit in epitaph-recover epitaph-harvest; do
		sed -e 's,/sys/kernel/epitaph,/srv/sys,' \
			-e 's,^ExecStart=.*,& -v --device /srv/device --sysfs /srv/sys\nReadWritePaths=/srv/sys,' \
			"$top/systemd/$unit.service" >"$units/$unit.service"
	done
	mkdir -p "$units/epitaph-recover.service.d"
	printf '[Service]\nExecStartPre=+/bin/sh /srv/slow\n' >"$units/epitaph-recover.service.d/slow.conf"
	# A disk that is slower than the boot; but of a boot that waits for it, it is there in a minute.
	cat >"$root/srv/slow" <<'END'
cp /run/motd.d/epitaph-unsaved /srv/login
[ ! -e /srv/slept ] || exit 0
touch /srv/slept
for _ in $(seq 300); do
	! systemctl -q is-active basic.target || exit 0
	sleep 0.2
done
END
	sed -e '/^ConditionPath/d' \
		-e 's,^EnvironmentFile=.*,Environment=PATH=/srv/bin:/usr/bin:/bin KDUMP_COREDIR=/srv/dumps/here,' \
		"$top/kdump-hooks/debian/epitaph-capture.service" >"$units/epitaph-capture.service"
	sed -e '/^ConditionPath/d' \
		-e 's,^EnvironmentFile=.*,Environment=PATH=/usr/bin:/bin KDUMP_COREDIR=/srv/dumps/here,' \
		"$top/kdump-hooks/debian/epitaph-capture-send.service" >"$units/epitaph-capture-send.service"
	sed -e 's,^ExecStart=.*,& -v,' "$top/systemd/epitaph-send.service" >"$units/epitaph-send.service"
	sed -e 's/=30s/=1s/' -e 's/=10min/=3s/' "$top/systemd/epitaph-send.timer" >"$units/epitaph-send.timer"
	sed -e 's/=5min/=2s/' "$top/systemd/epitaph-recover.timer" >"$units/epitaph-recover.timer"
	sed -e '/^ConditionPath/d' "$top/systemd/epitaph-doctor.service" >"$units/epitaph-doctor.service"
	install -m 755 "$top/systemd/memory-is-reserved" "$top/systemd/recover" "$root/usr/lib/epitaph/"
	mkdir -p "$root/srv/bin" "$units/basic.target.wants"
	printf '#!/bin/sh\nexec /usr/bin/epitaph "$@" -v /srv/device\n' >"$root/srv/bin/epitaph"
	chmod 755 "$root/srv/bin/epitaph"
	cat >"$units/guest.service" <<'END'
[Unit]
Description=The test's script
After=epitaph.service epitaph-recover.service epitaph-harvest.service epitaph-capture.service
Wants=epitaph.service epitaph-recover.service epitaph-harvest.service epitaph-capture.service
[Service]
Type=oneshot
StandardOutput=file:/srv/guest.log
StandardError=file:/srv/guest.log
ExecStart=/bin/sh /srv/boot.sh
END
	ln -s ../guest.service "$units/basic.target.wants/"
	cp "$here/lib-guest.sh" "$root/srv/"
	cp "$out/boot.sh" "$root/srv/"
}

cat >"$out/boot.sh" <<'BOOT'
. /srv/lib-guest.sh
trap 'echo "guest: ended with $?"; systemctl poweroff --force --force' EXIT
set -eu

is() {
	[ "$(systemctl show -P "$2" "$1")" = "$3" ] && return
	systemctl status --no-pager -l "$1"
	return 1
}
shows() {
	systemctl show -P StatusText epitaph | tee /tmp/shown
	grep -q "$1" /tmp/shown
}
# of epitaph: what it says of its sandbox, in the journal of UNIT
locked_up() {
	journalctl -b -o cat --no-pager -u "$1" | grep 'is read' | tee /tmp/sandboxes
	[ -s /tmp/sandboxes ] && ! grep -v 'no_new_privs, landlock (.*seccomp, memory limited' /tmp/sandboxes
}
soon() {
	for _ in $(seq 120); do
		! "$@" || return 0
		sleep 1
	done
	return 1
}

check "epitaph.service: it runs" is epitaph ActiveState active
check "epitaph.service: it shows what is recorded" shows '^Recording 4000 events/s, the last 4 min 12 s kept'
us() {
	systemctl show -P "$2" "$1"
}
boot_did_not_wait() {
	began=$(us epitaph-recover InactiveExitTimestampMonotonic)
	saved=$(us epitaph-recover ExecMainExitTimestampMonotonic)
	up=$(us basic.target ActiveEnterTimestampMonotonic)
	echo "epitaph-recover from $began to $saved us, basic.target at $up us"
	[ "$began" -gt 0 ] && [ "$up" -gt 0 ] && [ "$up" -lt "$saved" ]
}
# Where nothing waits for it, not even this is behind its end.
recover_has_ended() {
	[ "$(us epitaph-recover ExecMainExitTimestampMonotonic)" -gt 0 ] &&
		[ "$(us epitaph-recover SubState)" != stop-post ]
}
check "epitaph-recover.service: it ends" soon recover_has_ended
check "epitaph-recover.service: the boot did not wait for it" boot_did_not_wait
check "epitaph-recover.service: while it saved, a login would have said so" grep -qx 'An earlier kernel of this machine died. Its trace is not saved yet: systemctl status epitaph-recover' /srv/login
check "epitaph-recover.service: and then no more" [ ! -e /run/motd.d/epitaph-unsaved ]
check "epitaph-recover.service: it ended well" is epitaph-recover Result success
check "epitaph-recover.service: the generation is on disk, with its summary" sh -c '[ -s /var/lib/epitaph/*Z/summary.txt ]'
check "epitaph-recover.service: and is marked" grep -q /var/lib/epitaph /srv/sys/generations/3/harvested
check "epitaph-recover.service: set to keep one, it removed the older" [ "$(ls /var/lib/epitaph | wc -l)" = 1 ]
check "epitaph-recover.service: and the older one that kdump's hook had saved, and no dump" [ "$(ls /var/crash)" = 202001010000 ]
check "epitaph-recover.service: the reading process is sandboxed" locked_up epitaph-recover
check "epitaph-harvest.service: epitaph-recover.service does its work as well" is epitaph-harvest ConditionResult no

# A disk without room for it, then one with room.
ever_tried() {
	[ "$(systemctl show -P LastTriggerUSec epitaph-recover.timer)" != "${1-}" ]
}
systemctl start epitaph-recover.timer
sleep 3
check "epitaph-recover.timer: where all is saved it starts nothing" [ -z "$(systemctl show -P LastTriggerUSec epitaph-recover.timer)" ]
systemctl stop epitaph-recover
: >/srv/sys/generations/3/harvested
mount -t tmpfs -o size=8k tmpfs /var/lib/epitaph
! cat /dev/zero >/var/lib/epitaph/of-others 2>/dev/null
systemctl start epitaph-recover
# Its timer may be trying it again.
check "epitaph-recover.service: a full disk is a failure" soon is epitaph-recover ExecMainStatus 3
check "epitaph-recover.service: and a login says so" grep -q 'not saved yet' /run/motd.d/epitaph-unsaved
check "epitaph-recover.timer: it is tried again" soon ever_tried
check "epitaph-recover.service: and fails again" soon is epitaph-recover ActiveState failed
umount /var/lib/epitaph
check "epitaph-recover.timer: with room it is saved soon" soon grep -q /var/lib/epitaph /srv/sys/generations/3/harvested
check "epitaph-recover.service: the unit is well again" soon is epitaph-recover ActiveState active
tried=$(systemctl show -P LastTriggerUSec epitaph-recover.timer)
sleep 3
check "epitaph-recover.timer: and that was the last time" [ "$(systemctl show -P LastTriggerUSec epitaph-recover.timer)" = "$tried" ]

systemctl stop epitaph-recover.timer epitaph-recover
rm /srv/sys/evidence/3 /srv/sys/ended/4
systemctl start epitaph-recover epitaph-harvest
check "epitaph-recover.service: nothing crashed, and it is skipped" is epitaph-recover ConditionResult no
check "epitaph-harvest.service: nothing ended, and it is skipped" is epitaph-harvest ConditionResult no
mv /srv/sys/generations/5-later /srv/sys/generations/5
ln -s ../generations/5 /srv/sys/ended/5
systemctl start epitaph-recover epitaph-harvest
check "epitaph-recover.service: something ended in order, and it is skipped" is epitaph-recover ConditionResult no
check "epitaph-harvest.service: it saves that" soon grep -q /var/lib/epitaph /srv/sys/generations/5/harvested
check "epitaph-harvest.service: the reading process is sandboxed" soon locked_up epitaph-harvest
check "epitaph-harvest.service: it ended well" soon is epitaph-harvest SubState exited
systemctl stop epitaph-harvest
rm -r /srv/sys/ended
systemctl start epitaph-harvest
check "epitaph-harvest.service: where the recorder does not say what waits, it looks" is epitaph-harvest ConditionResult yes
# Of two captures one stays; until then both would be sent.
check "epitaph-harvest.service: and it keeps one" soon is epitaph-harvest SubState exited
check "epitaph-capture.service: its process ended with 0" is epitaph-capture ExecMainStatus 0
check "epitaph-capture.service: the trace is where KDUMP_COREDIR is" sh -c '[ -s /srv/dumps/here/epitaph-*/summary.txt ]'
check "epitaph-capture.service: the reading process is sandboxed" soon locked_up epitaph-capture
mkdir /run/systemd/system/epitaph-capture.service.d
printf '[Service]\nReadOnlyPaths=/srv/never\n' >/run/systemd/system/epitaph-capture.service.d/never.conf
systemctl daemon-reload
rm -r /srv/dumps/here /run/epitaph-capture-ran /run/epitaph-captured
systemctl restart epitaph-capture
check "epitaph-capture.service: where it cannot be confined, the trace is saved without" sh -c '[ -s /srv/dumps/here/epitaph-*/summary.txt ]'

# No server listens yet.
says() {
	journalctl -b -o cat --no-pager -u "$1" | tee /tmp/journal
	grep -q -- "$2" /tmp/journal
}
stored() {
	ls /srv/www/in && [ "$(ls /srv/www/in/web1-*.tar.zst | wc -l)" = "$1" ]
}
marked() {
	grep "^$1 " /var/lib/epitaph/*/sent
}
# As an administrator would with systemctl edit, by docs/send.md.
edit_for_token() {
	for unit in epitaph-send epitaph-capture-send; do
		mkdir -p /etc/systemd/system/$unit.service.d
		printf '[Service]\nLoadCredential=fleet:/etc/epitaph/token\n' >/etc/systemd/system/$unit.service.d/override.conf
	done
	systemctl daemon-reload
}
edit_for_token
cp /srv/send.conf /etc/epitaph/
systemctl start epitaph-send.timer
check "epitaph-send.service: its timer starts it, and it says that no server is there" soon says epitaph-send "Couldn't connect"
systemd-run --unit=server /srv/nginx -e stderr -c /srv/nginx.conf
check "epitaph-send.service: what is sent is stored" soon stored 1
check "epitaph-send.service: it was started again, and ended well" soon is epitaph-send Result success
check "epitaph-send.service: it says so" soon says epitaph-send '^sent /var/lib/epitaph/.*, as web1-.*tar.zst$'
check "epitaph-send.service: it marks what it has sent" marked https://127.0.0.1:7788/in
check "epitaph-send.service: what looks into a region is locked up" locked_up epitaph-send
systemctl start epitaph-capture-send
check "epitaph-capture-send.service: what was captured is sent, the region alone" soon says epitaph-capture-send '^sent /srv/dumps/here/epitaph-.*: 1 file,'
check "epitaph-capture-send.service: it says so on the console" says epitaph-capture-send 'the trace is on another machine'
check "epitaph-capture-send.service: and it is stored" stored 2
systemctl stop epitaph-send.timer
pid=$(systemctl show -P MainPID epitaph)
kill -STOP "$pid"
check "epitaph.service: a process that hangs is another one soon" soon is epitaph NRestarts 1
check "epitaph.service: which shows it again" soon shows '^Recording'
mkdir /run/systemd/system/epitaph.service.d
printf '[Service]\nBindReadOnlyPaths=/srv/late\n' >/run/systemd/system/epitaph.service.d/late.conf
systemctl daemon-reload
! systemctl restart epitaph || echo "restarted, without a path that it binds"
check "epitaph.service: it cannot be confined" is epitaph ExecMainStatus 226
mkdir /srv/late
check "epitaph.service: and is tried again" soon is epitaph ActiveState active

# What is unmounted while systemd confines a unit is such a path, as other units' credentials at a boot.
for unit in epitaph-doctor epitaph-send; do
	mkdir -p /run/systemd/system/$unit.service.d
	printf '[Service]\nBindReadOnlyPaths=/srv/late-%s\n' $unit >/run/systemd/system/$unit.service.d/late.conf
	systemctl daemon-reload
	! systemctl start $unit || echo "started, without a path that it binds"
	check "$unit.service: it cannot be confined" is $unit ExecMainStatus 226
	check "$unit.service: and is not given up" is $unit SubState auto-restart
	mkdir /srv/late-$unit
	check "$unit.service: but tried again, and ends well" soon is $unit Result success
	rm /run/systemd/system/$unit.service.d/late.conf
	systemctl daemon-reload
done

# systemd makes directories in /tmp to hide devices and other users' files.
mount -t tmpfs -o nr_inodes=1 tmpfs /tmp
for unit in epitaph epitaph-doctor epitaph-send; do
	systemctl restart $unit || :
done
umount /tmp
for unit in epitaph epitaph-doctor epitaph-send; do
	check "$unit.service: it is confined on a full disk as well" [ "$(systemctl show -P ExecMainStatus $unit)" != 226 ]
done
rm /srv/sys/current
check "epitaph.service: when nothing is recorded, it says so" soon shows '^Nothing is recorded'
check "epitaph.service: and is failed" soon is epitaph ActiveState failed
printf '[Service]\nExecCondition=+/usr/lib/epitaph/memory-is-reserved\n' >/run/systemd/system/epitaph.service.d/late.conf
systemctl daemon-reload
systemctl reset-failed epitaph
systemctl start epitaph
check "epitaph.service: without a reservation it is skipped" is epitaph Result exec-condition
check "epitaph.service: which is no failure" is epitaph ActiveState inactive
check "epitaph.service: and the journal says what to do" says epitaph 'no memory is reserved for it: run epitaph setup --write, and reboot'
BOOT

run_container() {
	timeout 1800 systemd-nspawn -q -D "$root" -M "epitaph-$$" --register=no --keep-unit --private-network \
		--system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" \
		-b >"$out/console.log" 2>&1 </dev/null
	cp "$root/srv/guest.log" "$out/guest.log"
}

need_bare_debian
mount_root
systemd-nspawn -q -D "$root" --register=no --keep-unit true || skip_all "no container runs here"
install_tool
make_recorder
make_keys
install_units
check "systemd starts and ends" run_container
take_guest_claims
check "the script ended well" guest_ended_well
finish
