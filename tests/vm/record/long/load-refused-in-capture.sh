#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder does not load in a capture kernel, where it would write over what
# is to be saved.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# In the place of /bin/epitaph: try to load, then do its work.
guest <<'END'
mkdir -p more/bin more/real
cp stripped.ko more/real/epitaph.ko
cp epitaph-static more/real/
cat >more/bin/epitaph <<'TOOL'
#!/bin/sh
if insmod /real/epitaph.ko 2>/dev/null; then
	echo "test: it loaded" >/dev/console
else
	echo "test: refused" >/dev/console
fi
exec /real/epitaph-static "$@"
TOOL
chmod +x more/bin/epitaph
(cd more && find . | cpio -o -H newc) | gzip >>/boot/capture.img.gz
record
sleep 2
crash
END
# As packages have it: 12 MB with what debuggers need, which this capture kernel cannot hold twice.
strip -g -o "$out/stripped.ko" "$recorder"
pack_guest "$top/extractor/epitaph-static" "$out/stripped.ko"
crash_whole --allow 'panic - not syncing: sysrq triggered crash' --expect 'test: refused' \
	--expect 'this is a capture kernel'
finish
