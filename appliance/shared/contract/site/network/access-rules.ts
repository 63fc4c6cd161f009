import type { FieldProblem } from '../../errors.ts';
import { inBoth, inLanguage, type Text } from '../../text/language.ts';
import { isEngineNode } from '../enabled.ts';
import type { Site } from '../site.ts';
import { freePort } from '../stack.ts';
import { type Access, isForPeer, peerAddresses } from './access.ts';

/** UDP ports that other services of a server use. */
const reserved = new Map<number, Text>([
  [53, inBoth('DNS')],
  ...[67, 68, 546, 547].map((port) => [port, inBoth('DHCP')] as const),
  [123, inBoth('NTP')],
  ...[4789, 7946].map((port) => [port, inBoth('Docker')] as const),
]);

/** Checks the tunnel of a site and returns all problems. */
export function checkAccess(site: Partial<Site>): FieldProblem[] {
  const { access } = site;
  if (!access) return [];
  return [
    ...checkRole(site),
    ...checkCertificate(site),
    ...checkPort(access, site),
    ...checkAddresses(access),
    ...(['name', 'public_key', 'address'] as const).flatMap((field) => checkTwice(access, field)),
  ];
}

/** An engine node has no pages. */
function checkRole({ role }: Partial<Site>): FieldProblem[] {
  if (!isEngineNode({ role })) return [];
  return [
    {
      at: ['access'],
      message: inLanguage({
        en: 'access is for a server with a chat, but role is engine-node',
        zh: 'access 用于有聊天功能的服务器，但 role 是 engine-node',
      }),
      hint: inLanguage({ en: 'Remove access.', zh: '删除 access。' }),
    },
  ];
}

/** An authority validates names and addresses over ports that are closed here, unless it uses DNS. */
function checkCertificate({ tls }: Partial<Site>): FieldProblem[] {
  if (!tls || tls.challenge === 'dns') return [];
  if (['internal', 'custom', 'off'].includes(tls.mode)) return [];
  return [
    {
      at: ['tls', 'mode'],
      message: inLanguage({
        en: `tls.mode ${tls.mode} needs port 80 from outside, which access closes`,
        zh: `tls.mode ${tls.mode} 需要从外部访问 80 端口，但 access 会关闭它`,
      }),
      hint: inLanguage({
        en: 'Use tls.challenge: dns, tls.mode: internal or custom, or remove access.',
        zh: '用 tls.challenge: dns、tls.mode: internal 或 custom，或删除 access。',
      }),
    },
  ];
}

function checkPort({ port }: Access, { engines }: Partial<Site>): FieldProblem[] {
  const swarm = engines?.swarm;
  const users = new Map([
    ...reserved,
    ...(swarm ? [[swarm.port, inBoth('engines.swarm')] as const] : []),
  ]);
  const user = users.get(port);
  if (user === undefined) return [];
  const free = freePort(port < 1024 ? 51820 : port, users.keys());
  return [
    {
      at: ['access', 'port'],
      message: inLanguage({
        en: `access.port is ${port}, which ${user.en} already uses`,
        zh: `access.port 是 ${port}，已被 ${user.zh} 占用`,
      }),
      hint: inLanguage({
        en: `Use another port, such as ${free}.`,
        zh: `换一个端口，例如 ${free}。`,
      }),
    },
  ];
}

function checkAddresses(access: Access): FieldProblem[] {
  const { network, peers } = access;
  return peers.flatMap(({ name, address }, index) => {
    if (isForPeer(access, address)) return [];
    const [first, last] = peerAddresses(access);
    return [
      {
        at: ['access', 'peers', index, 'address'],
        message: inLanguage({
          en: `the address ${address} of ${name} is not one for a device of access.peers in ${network}`,
          zh: `${name} 的地址 ${address} 不是 ${network} 中供 access.peers 使用的地址`,
        }),
        hint: inLanguage({
          en: `Use one from ${first} to ${last}; landfall access add uses those after them.`,
          zh: `可用 ${first} 到 ${last}；之后的由 landfall access add 使用。`,
        }),
      },
    ];
  });
}

/** WireGuard sends the packets of an address to one key, and a key twice is one device. */
function checkTwice({ peers }: Access, field: 'name' | 'public_key' | 'address'): FieldProblem[] {
  const holders = new Map<string, string>();
  return peers.flatMap((peer, index) => {
    const value = peer[field];
    const other = holders.get(value);
    if (other === undefined) holders.set(value, peer.name);
    if (other === undefined) return [];
    const of = field === 'name' ? '' : ` (${other}, ${peer.name})`;
    return [
      {
        at: ['access', 'peers', index, field],
        message: inLanguage({
          en: `access.peers has the ${field} ${value} twice${of}`,
          zh: `access.peers 中 ${field} ${value} 出现了两次${of}`,
        }),
        hint: inLanguage({
          en: `Give each device its own ${field}.`,
          zh: `每台设备要有自己的 ${field}。`,
        }),
      },
    ];
  });
}
