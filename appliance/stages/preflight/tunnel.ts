import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Problem } from '#contract/errors.ts';
import { type Access, accessLink } from '#contract/site/network/access.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import { overlap } from '../../server/host/overlap.ts';
import { isActive } from '../../server/host/service.ts';
import { wireguardUnit } from '../../server/host/wireguard/interface.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Checks that the kernel has WireGuard, and that its network and its port are free, or used by the tunnel itself. */
export async function checkTunnel({
  host,
  site: { access },
}: Pick<Context, 'host' | 'site'>): Promise<Problem[]> {
  if (!access) return [];
  const isUp = await isActive(host, wireguardUnit(accessLink));
  return [
    ...(await checkNetwork(host, access)),
    ...(isUp ? [] : [...(await checkPort(host, access)), ...(await checkKernel(host))]),
  ];
}

/** A container has the kernel of its host, which may lack the module. `wg-quick` uses the program in its place. */
async function checkKernel(host: Host): Promise<Problem[]> {
  if (existsSync(host.path('usr/bin/wireguard-go'))) return [];
  const link = ['ip', 'link', 'add', 'landfall0', 'type', 'wireguard'];
  if (await host.succeeds('unshare', ['--net', ...link])) return [];
  return [
    {
      message: inLanguage({
        en: 'the kernel has no WireGuard, which access needs',
        zh: '内核没有 access 所需的 WireGuard',
      }),
      hint: inLanguage({
        en: 'Use a virtual machine with a kernel of Debian or Ubuntu, or remove access.',
        zh: '使用带 Debian 或 Ubuntu 内核的虚拟机，或删除 access。',
      }),
    },
  ];
}

const routesSchema = z.array(z.object({ dst: z.string(), dev: z.string().optional() }));
/** Larger networks are halves of the internet, as VPN clients set them: other routes win over them. */
const minPrefix = 8;

/** Private networks that homes and providers rarely use (RFC 1918). */
const candidates = ['10.99.0.0/24', '10.186.0.0/24', '172.29.86.0/24', '192.168.86.0/24'];

/** The server would send packets for its own network, such as that of its SSH connections, into the tunnel. */
async function checkNetwork(host: Host, { network }: Access): Promise<Problem[]> {
  const { stdout } = await host.run('ip', ['-json', '-4', 'route', 'show', 'table', 'all']);
  const routes = routesSchema
    .parse(parseJson(stdout))
    .filter(({ dst, dev }) => dev !== accessLink && Number(dst.split('/')[1] ?? 32) >= minPrefix);
  const taken = routes.find(({ dst }) => overlap(network, dst));
  if (!taken) return [];
  const free = candidates.find((each) => !routes.some(({ dst }) => overlap(each, dst)));
  const { dst, dev = '?' } = taken;
  return [
    {
      message: inLanguage({
        en: `access.network ${network} overlaps ${dst} of ${dev}, a network of this server`,
        zh: `access.network ${network} 与这台服务器的网段 ${dst}（${dev}）重叠`,
      }),
      hint: inLanguage({
        en: `Set access.network to another private network, such as ${free}.`,
        zh: `把 access.network 设为其他内网网段，例如 ${free}。`,
      }),
    },
  ];
}

async function checkPort(host: Host, { port }: Access): Promise<Problem[]> {
  const { stdout } = await host.run('ss', ['-H', '-uln', `sport = :${port}`]);
  if (stdout.trim() === '') return [];
  return [
    {
      message: inLanguage({
        en: `the UDP port ${port} (access.port) is already used`,
        zh: `UDP 端口 ${port}（access.port）已被占用`,
      }),
      hint: inLanguage({
        en: 'Set access.port to a free port, or remove the program that uses it.',
        zh: '把 access.port 设为空闲的端口，或删除占用它的程序。',
      }),
    },
  ];
}
