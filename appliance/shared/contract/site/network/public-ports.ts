import { components } from '../../components.ts';
import type { FieldProblem } from '../../errors.ts';
import { inBoth, inLanguage, type Text } from '../../text/language.ts';
import type { Site } from '../site.ts';
import { freePort } from '../stack.ts';
import { tunnelAddress } from './access.ts';

/** TCP ports of the gateway on the server; undefined for a closed one. */
interface PublicPorts {
  readonly http: number | undefined;
  readonly https: number;
}

/**
 * Returns where clients reach the gateway: from the internet, or in the tunnel of `access`. The gateway
 * itself has its default ports in its container.
 */
export function publicPorts({ hosts }: Pick<Site, 'hosts'>): PublicPorts {
  const { http, https } = components.gateway.publicPorts;
  return { http: hosts.http === false ? undefined : http, https: hosts.port ?? https };
}

/** Returns the open ones of {@link publicPorts}, in ascending order. */
export function openPublicPorts(site: Pick<Site, 'hosts'>): number[] {
  const { http, https } = publicPorts(site);
  return [http, https].filter((port) => port !== undefined).sort((one, other) => one - other);
}

/** Returns what is open to the internet, besides SSH: the ports of the gateway, or that of the tunnel. */
export function publicOpenings(site: Pick<Site, 'hosts' | 'access'>): string[] {
  if (site.access) return [`${site.access.port}/udp`];
  return openPublicPorts(site).map((port) => `${port}/tcp`);
}

/** Returns whether every client reaches port 80. */
export function hasPublicHttp(site: Pick<Site, 'hosts' | 'access'>): boolean {
  return publicPorts(site).http !== undefined && site.access === undefined;
}

/** Returns the IPv4 address at which the gateway listens; undefined for all addresses of the server. */
export function gatewayAddress({ access }: Partial<Pick<Site, 'access'>>): string | undefined {
  return access && tunnelAddress(access);
}

/** Returns whether clients that name no port reach the gateway over TLS. */
export function hasDefaultPort(site: Pick<Site, 'hosts'>): boolean {
  return publicPorts(site).https === components.gateway.publicPorts.https;
}

/** Ports that other services use on every server, or that no user reaches. */
const reserved = new Map<number, Text>([
  [22, inBoth('SSH')],
  [components.gateway.publicPorts.http, inBoth('HTTP')],
  ...[2375, 2376, 2377, 7946].map((port) => [port, inBoth('Docker')] as const),
  [7890, { en: 'the local HTTP proxy', zh: '本机的 HTTP 代理' }],
  [7892, inBoth('redsocks')],
]);

/** Ports that browsers do not open (fetch.spec.whatwg.org, "port blocking"). */
const blockedByBrowsers: ReadonlySet<number> = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117
  119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601
  636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679
  6697 10080`
    .split(/\s+/)
    .map(Number),
);

/** Checks the ports of the gateway and returns all problems. */
export function checkPublicPorts(site: Partial<Site>): FieldProblem[] {
  const { hosts, tls } = site;
  return [
    ...(hosts?.port === undefined ? [] : checkPort(hosts.port, site)),
    ...(hosts?.http === false && tls && tls.challenge !== 'dns' ? checkClosed(tls) : []),
  ];
}

function checkPort(port: number, { tls, ports, socks }: Partial<Site>): FieldProblem[] {
  const at = ['hosts', 'port'];
  if (tls?.mode === 'off') {
    return [
      {
        at,
        message: inLanguage({
          en: 'hosts.port has no effect with tls.mode off: it is the port of HTTPS',
          zh: 'tls.mode 为 off 时 hosts.port 不起作用：它是 HTTPS 的端口',
        }),
        hint: inLanguage({
          en: 'Remove hosts.port, or use tls.mode: internal.',
          zh: '删除 hosts.port，或用 tls.mode: internal。',
        }),
      },
    ];
  }
  const users = new Map([
    ...reserved,
    ...Object.entries(ports ?? {}).map(([name, used]) => [used, inBoth(`ports.${name}`)] as const),
    ...(socks ? [[socks.port, inBoth('socks.port')] as const] : []),
  ]);
  const user = users.get(port);
  const isBlocked = blockedByBrowsers.has(port);
  if (user === undefined && !isBlocked) return [];
  const free = freePort(port < 1024 ? 8443 : port, [...users.keys(), ...blockedByBrowsers]);
  return [
    {
      at,
      message: inLanguage({
        en: `hosts.port is ${port}, which ${user ? `${user.en} already uses` : 'browsers do not open'}`,
        zh: `hosts.port 是 ${port}，${user ? `已被 ${user.zh} 占用` : '浏览器不会打开这个端口'}`,
      }),
      hint: inLanguage({
        en: `Use another port, such as ${free}.`,
        zh: `换一个端口，例如 ${free}。`,
      }),
    },
  ];
}

/** Without port 80 there is no page without TLS, and no authority can validate a name over HTTP. */
function checkClosed({ mode }: Site['tls']): FieldProblem[] {
  if (mode === 'internal' || mode === 'custom') return [];
  const why =
    mode === 'off'
      ? { en: 'all pages are there', zh: '所有页面都在该端口' }
      : { en: 'the authority validates names there', zh: '颁发机构在该端口验证域名' };
  return [
    {
      at: ['hosts', 'http'],
      message: inLanguage({
        en: `tls.mode ${mode} needs port 80, but hosts.http is false: ${why.en}`,
        zh: `tls.mode ${mode} 需要 80 端口，但 hosts.http 是 false：${why.zh}`,
      }),
      hint: inLanguage({
        en: 'Remove hosts.http, use tls.challenge: dns, or tls.mode: custom or internal.',
        zh: '删除 hosts.http，或用 tls.challenge: dns，或用 tls.mode: custom 或 internal。',
      }),
    },
  ];
}
