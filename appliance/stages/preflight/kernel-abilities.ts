import type { Problem } from '#contract/errors.ts';
import { inBoth, inLanguage, say, type Text } from '#contract/text/language.ts';
import type { Context } from '../../server/stage/stage.ts';

/**
 * Tries the kernel features that containers and the firewall need. It runs in new namespaces, so it
 * leaves no trace. Each line of output names a feature that is not available.
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

const descriptions: Readonly<Record<string, Text>> = {
  namespaces: inBoth('namespaces'),
  mounts: { en: 'mounting file systems', zh: '挂载文件系统' },
  overlay: { en: 'overlay file systems', zh: 'overlay 文件系统' },
  bridges: { en: 'network bridges', zh: '网桥' },
  veth: { en: 'virtual network interfaces', zh: '虚拟网卡' },
  cgroups: { en: 'control groups', zh: 'cgroup' },
  nftables: { en: 'packet filtering with nftables', zh: 'nftables 包过滤' },
};

/**
 * Checks the kernel features by trying them, because the name of the virtualisation does not
 * determine them. OpenVZ is always rejected: its kernel is too old.
 */
export async function checkKernel({ host, server }: Context): Promise<Problem[]> {
  const where =
    server.container === undefined
      ? say('the kernel', '内核')
      : say(`the container (${server.container})`, `容器（${server.container}）`);
  const hint = inLanguage({
    en: 'Use a virtual machine with its own kernel (KVM), or enable nesting for LXC.',
    zh: '使用有自己内核的虚拟机（KVM），或为 LXC 启用嵌套。',
  });
  if (server.container === 'openvz') {
    return [
      {
        message: inLanguage({
          en: 'OpenVZ containers cannot run other containers',
          zh: 'OpenVZ 容器不能运行其他容器',
        }),
        hint,
      },
    ];
  }
  const { code, stdout } = await host.run(
    'unshare',
    ['--mount', '--net', '--uts', '--ipc', '--pid', '--fork', 'sh', '-c', script],
    { accept: [1] },
  );
  const refused =
    code === 0 ? stdout.split('\n').filter((name) => name in descriptions) : ['namespaces'];
  if (refused.length === 0) return [];
  const things = refused.flatMap((name) => descriptions[name] ?? []);
  const list = things.map((thing) => inLanguage(thing)).join(say(', ', '、'));
  return [
    {
      message: inLanguage({
        en: `${where} does not support what containers need: ${list}`,
        zh: `${where} 不支持容器需要的功能：${list}`,
      }),
      hint,
    },
  ];
}
