#!/bin/bash
# Starts systemd in a container of the tests. Before that it makes the container look like a machine:
# with writable control groups, and with files in /etc that can be replaced.

# Uses version 2 of control groups, as servers do, if this machine's kernel provides its controllers:
# Docker rejects limits that it cannot set. Otherwise uses version 1.
mkdir -p /run/cgroup2
mount -t cgroup2 -o rw,nosuid,nodev,noexec cgroup2 /run/cgroup2 || exit 1
if grep -qw cpu /run/cgroup2/cgroup.controllers; then
  umount -R /sys/fs/cgroup
  mount --move /run/cgroup2 /sys/fs/cgroup
else
  umount /run/cgroup2
  for mount in $(awk '$5 ~ "^/sys/fs/cgroup" { print $5 }' /proc/self/mountinfo); do
    mount -o remount,bind,rw "$mount"
  done
  export SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1
fi
rmdir /run/cgroup2

for file in hostname hosts resolv.conf; do umount "/etc/$file" 2>/dev/null; done
[ -s /etc/hostname ] || hostname >/etc/hostname
[ -s /etc/hosts ] || printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 %s\n' "$(hostname)" >/etc/hosts
chmod 644 /etc/hostname /etc/hosts
[ -s /etc/resolv.conf ] || ln -sf ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf

# Removes the rules of the outer Docker for its name server, which a real machine does not have.
nft flush ruleset

# A server of a cloud that sells IPv6 only.
[ -z "$HOST_IPV6_ONLY" ] || ip -4 address flush dev eth0
unset HOST_IPV6_ONLY

# Normally set by DHCP.
mkdir -p /run/systemd/resolved.conf.d
printf '[Resolve]\nDNS=%s\n' "$HOST_DNS" >/run/systemd/resolved.conf.d/network.conf
unset HOST_DNS

mount --make-rshared /
export container=docker
exec /sbin/init
