#!/bin/sh
# SPDX-License-Identifier: MIT
# In a bare Debian, with the packages in /packages: installs them, uses them, takes them off (packages.sh install).
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
cd /packages

# all files and folders but those that a package manager writes
everything()
{
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /packages -o -path /tmp -o -path /var/lib/dpkg \
        -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /etc/ld.so.cache -o -path /root \) -prune -o -print | sort
}

# what the packages need comes first, and stays
dpkg --force-depends -i ./*.deb >/dev/null
apt-get update -q
apt-get install -qy --no-install-recommends -f
echo '== only the program and the library'
dpkg --purge gpucode gpucode-doc libgpucode-dev libgpucode0 python3-gpucode
everything >before
apt-get install -qy --no-install-recommends ./gpucode_*.deb ./libgpucode0_*.deb
gpucode --version
printf '[016ee001]\nmov $02, 0x1\n' | gpucode asm - -o /tmp/nop.bin
gpucode disasm /tmp/nop.bin | grep 'mov .02'
afuc-disasm /tmp/nop.bin | grep 'mov .02'
echo '== all of them'
apt-get install -qy --no-install-recommends ./*.deb
ldconfig -p | grep libgpucode.so.0
apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config
AUTOPKGTEST_TMP=/tmp sh -c 'sed "s,\"\$here/../../tests/cli/readme.py\",/packages/readme.py," session >/tmp/session; sh -x /tmp/session'
echo '== taken off'
dpkg --purge gpucode gpucode-doc libgpucode-dev libgpucode0 python3-gpucode 2>&1 | tee purged
if grep -i warning purged; then exit 1; fi
everything >after
# the compiler that the session has put there is no leftover
left=$(comm -13 before after | grep -i gpucode || true)
lost=$(comm -23 before after)
[ -z "$left$lost" ] || {
    echo "left: $left"
    echo "lost: $lost"
    exit 1
}
if dpkg -l | grep -i gpucode; then exit 1; fi
echo 'packages: installed on a bare Debian, used, and removed without a trace'
