#!/bin/sh
# SPDX-License-Identifier: MIT
# In a bare Debian, with the packages in /packages: installs them, uses them, takes them off (packages.sh install). Where
# /packages/old has a version before, that is installed first and replaced.
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

# Which version the package of the library has.
version_of()
{
    dpkg-query -W -f '${Version}' libgpucode0
}

# The examples of the version before, linked with its library; the names of those that run as they should.
link_old()
{
    apt-get install -qy --no-install-recommends ./old/*.deb
    apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config
    mkdir -p /tmp/old
    for source in /usr/share/doc/gpucode/examples/api/*.c; do
        name=$(basename "$source" .c)
        expected=${source%/*}/expected/$name.txt
        # shellcheck disable=SC2046
        cc -o "/tmp/old/$name" "$source" $(pkg-config --cflags --libs gpucode) 2>/dev/null || continue
        cp "$expected" "/tmp/old/$name.txt"
        "/tmp/old/$name" >/tmp/old/out && cmp -s /tmp/old/out "$expected" && echo "$name" >>/tmp/old/good
    done
    [ "$(wc -l </tmp/old/good)" -ge 20 ]
}

if [ -d old ]; then
    echo '== over the version before'
    dpkg --purge gpucode gpucode-doc libgpucode-dev libgpucode0 python3-gpucode
    everything >before-old
    link_old
    was=$(version_of)
    apt-get install -qy --no-install-recommends ./*.deb
    [ "$was" != "$(version_of)" ]
    gpucode --version
    python3 -c 'import gpucode'
    while read -r name; do
        echo "$name, linked with $was, runs with $(version_of)"
        "/tmp/old/$name" >/tmp/old/out
        diff /tmp/old/out "/tmp/old/$name.txt"
    done </tmp/old/good
    dpkg --purge gpucode gpucode-doc libgpucode-dev libgpucode0 python3-gpucode 2>&1 | tee purged
    if grep -i warning purged; then exit 1; fi
    everything >after
    left=$(comm -13 before-old after | grep -i gpucode || true)
    [ -z "$left" ] || {
        echo "left: $left"
        exit 1
    }
fi
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
AUTOPKGTEST_TMP=/tmp sh -c 'sed "s,\"\$here/../../tests/docs/sessions.py\",/packages/sessions.py," session >/tmp/session; sh -x /tmp/session'
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
