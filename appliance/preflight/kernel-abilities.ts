import type { Problem } from '#contract/errors.ts';
import type { Context } from '../stage/stage.ts';

/**
 * Tries what containers and the firewall need, in namespaces of its own: nothing of it is seen
 * outside, and all of it is gone when the script ends. Each line that it prints is something that
 * the kernel does not allow here.
 */
const script = `
mount -t tmpfs tmpfs /tmp && mkdir /tmp/l /tmp/u /tmp/w /tmp/m || echo mounts
mount -t overlay -o lowerdir=/tmp/l,upperdir=/tmp/u,workdir=/tmp/w overlay /tmp/m || echo overlay
ip link add landfall0 type bridge || echo bridges
ip link add landfall1 type veth peer name landfall2 || echo veth
grep -Eq ' cgroup2? rw[, ]' /proc/mounts || echo cgroups
if command -v nft >/dev/null; then
  nft 'add table inet t; add chain inet t c { type filter hook prerouting priority -150; }' || echo nftables
fi
`;

const words: Readonly<Record<string, string>> = {
  namespaces: 'namespaces of their own for containers',
  mounts: 'mounting file systems',
  overlay: 'the overlay file system for images',
  bridges: 'network bridges',
  veth: 'virtual network interfaces',
  cgroups: 'control groups',
  nftables: 'packet filtering with nftables',
};

/**
 * Judges what the kernel, or whoever owns it, allows here. What counts is what can be done, not
 * what the virtualisation is called; only OpenVZ's kernel is too old whatever it allows.
 */
export async function judgeKernel({ host, server }: Context): Promise<Problem[]> {
  const where =
    server.container === undefined ? 'its kernel' : `its container (${server.container})`;
  const hint =
    'Ask for a server with a kernel of its own (KVM); with LXC, for nesting to be allowed.';
  if (server.container === 'openvz') {
    return [{ message: 'it is an OpenVZ container, which cannot run other containers', hint }];
  }
  const { code, stdout } = await host.run(
    'unshare',
    ['--mount', '--net', '--uts', '--ipc', '--pid', '--fork', 'sh', '-c', script],
    { accept: [1] },
  );
  const refused = code === 0 ? stdout.split('\n').filter((name) => name in words) : ['namespaces'];
  if (refused.length === 0) return [];
  const things = refused.map((name) => words[name]).join(', ');
  return [{ message: `${where} does not allow what containers need: ${things}`, hint }];
}
