#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A hook for `earlyout bench --runner command`: measures on another machine.
#
#   earlyout hooks add lab doc/hook-ssh.sh
#   LAB=root@lab.example earlyout bench io-stat --runner command --hook lab \
#	--patch x.patch
#
# The machine has kexec and an ssh server, keeps its root file system, and is
# one that may be booted into any kernel at any time. GUEST is the program
# earlyout-guest, which `make` builds; it is static and runs there as it is.
# What is printed here is what earlyout reads: only the guest's lines go to
# standard output.
set -eu

: "${LAB:?is not set: USER@HOST of the machine to measure on}"
: "${GUEST:=$(dirname "$0")/../build/guest/earlyout-guest}"
: "${EARLYOUT_KERNEL:?is empty: this hook needs --patch, --finding or --after}"
: "${EARLYOUT_WORKLOAD:?is not set: earlyout bench sets it}"
dir=/root/earlyout-lab

on_lab() {
	ssh -o BatchMode=yes -o ConnectTimeout=5 "$LAB" "$@" </dev/null
}

boot_id() {
	on_lab cat /proc/sys/kernel/random/boot_id
}

on_lab mkdir -p "$dir" >&2
scp -q -o BatchMode=yes "$EARLYOUT_KERNEL" "$LAB:$dir/bzImage" >&2
scp -q -o BatchMode=yes "$GUEST" "$LAB:$dir/earlyout-guest" >&2
old=$(boot_id)
# The machine's own command line and initramfs; it answers no more at once.
on_lab 'kexec -l /root/earlyout-lab/bzImage --reuse-cmdline --initrd=/boot/initrd.img &&
	systemctl kexec' >&2 || true
for ((i = 0; ; i++)); do
	sleep 5
	new=$(boot_id 2>/dev/null) && [ "$new" != "$old" ] && break
	if [ "$i" -ge 60 ]; then
		echo "hello 1 lab"
		echo "fail $LAB did not come back with the kernel $EARLYOUT_PHASE"
		exit 0
	fi
done
# The words of the workload are earlyout's, each NAME=VALUE without spaces.
# shellcheck disable=SC2086
on_lab "$dir/earlyout-guest" $EARLYOUT_WORKLOAD
