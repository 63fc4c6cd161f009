#!/bin/bash
# Starts systemd in a container of the tests, after making the container look like a machine: only
# the second hierarchy of control groups, and files in /etc that are its own and can be replaced.
umount -R /sys/fs/cgroup 2>/dev/null || {
  for mount in $(awk '$5 ~ "^/sys/fs/cgroup/" { print $5 }' /proc/self/mountinfo); do umount "$mount"; done
  umount /sys/fs/cgroup
}
mount -t cgroup2 -o rw,nosuid,nodev,noexec cgroup2 /sys/fs/cgroup || exit 1

for file in hostname hosts resolv.conf; do umount "/etc/$file" 2>/dev/null; done
[ -s /etc/hostname ] || hostname >/etc/hostname
[ -s /etc/hosts ] || printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 %s\n' "$(hostname)" >/etc/hosts
chmod 644 /etc/hostname /etc/hosts
[ -s /etc/resolv.conf ] || ln -sf ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf

# The engine outside has left rules for its name server here, which a machine would not have.
nft flush ruleset

# As a DHCP server would have told.
mkdir -p /run/systemd/resolved.conf.d
printf '[Resolve]\nDNS=%s\n' "$HOST_DNS" >/run/systemd/resolved.conf.d/network.conf
unset HOST_DNS

mount --make-rshared /
export container=docker
exec /sbin/init
