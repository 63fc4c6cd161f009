#!/bin/sh
# add-packages.sh ROOT SETTINGS SOURCE PACKAGE...
#
# Installs packages in the root folder of another Debian, with this machine's apt (configured for the
# mirror) and that Debian's dpkg. Runs in a separate mount namespace.
set -eu
root=$1 settings=$2 source=$3
shift 3

mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
echo "$source" >"$root/tmp/sources.list"
cat "$settings" - >"$root/tmp/apt.conf" <<END
Dir "$root/";
Dir::Etc::Parts "$root/tmp/none";
Dir::Etc::SourceList "$root/tmp/sources.list";
Dir::Etc::SourceParts "$root/tmp/none";
DPkg::Chroot-Directory "$root";
DPkg::Options:: "--force-unsafe-io";
DPkg::Use-Pty "false";
Acquire::Languages "none";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
END
mkdir "$root/tmp/none"
# Prevents services from starting during the installation (Debian Policy, 9.3.3).
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

# A kernel gets no initrd: servers in qemu start from one of their own.
export APT_CONFIG="$root/tmp/apt.conf" DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 INITRD=No
apt-get --quiet --error-on=any update
apt-get --quiet --yes install "$@"

rm -rf "$root/usr/sbin/policy-rc.d" "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/log/apt/* "$root/var/log/dpkg.log"
