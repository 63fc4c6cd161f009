import { defaultModelHost } from '#contract/bundle/model-name.ts';
import type { Release } from '#contract/bundle/release.ts';
import { componentOf, serviceNames } from '#contract/component-names.ts';
import { isEnabled, servedHosts } from '#contract/site/enabled.ts';
import { tunnelAddress } from '#contract/site/network/access.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { gatewayAddress } from '#contract/site/network/public-ports.ts';
import { formatOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { updateMode } from '#contract/site/updates.ts';
import { fromBase64, toBase64 } from '#contract/text/bytes.ts';
import { say } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { sha256 } from '#platform/sha256.ts';
import { contactRows, notDoneRows, type Row, shownUrl } from './describe-contacts.ts';
import { modelRows } from './describe-models.ts';

/** An SSH key of a site. */
interface SshKey {
  readonly type: string;
  /** As `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  readonly comment: string;
}

/** Returns what a line of a public key file is. */
export function sshKeyOf(line: string): SshKey {
  const [type = '', body = '', ...comment] = line.split(' ');
  const digest = toBase64(sha256(fromBase64(body) ?? new Uint8Array()));
  return {
    type,
    fingerprint: `SHA256:${digest.replace(/=+$/, '')}`,
    comment: plainLine(comment.join(' '), 60),
  };
}

/** What a description of a site may know besides it. */
interface Known {
  /** The verified release. */
  readonly release?: Release | undefined;
  /** Memory of the server in GB. */
  readonly memory?: number | undefined;
}

/**
 * Returns what a site makes of a server: who may log in, what is open, which hosts it contacts, and what it does
 * not do.
 */
export function describeSite(site: Site, { release, memory }: Known = {}): Row[] {
  return [
    ...loginRows(site),
    ...openRows(site),
    ...modelRows(site, release, memory),
    ...routeRows(site),
    ...downloadRows(site),
    ...contactRows(site),
    ...notDoneRows(site),
  ];
}

function loginRows({ admin, release }: Site): Row[] {
  const label = say('may log in', '可以登录');
  const keys = admin.ssh_keys
    .map(sshKeyOf)
    .map(({ type, fingerprint, comment }) => `${type} ${fingerprint} ${comment}`.trim());
  return [
    [
      label,
      say(
        `${admin.user}, with sudo, by SSH with one of these keys only; root may not`,
        `${admin.user}（有 sudo 权限），只能用下列密钥通过 SSH 登录；root 不能登录`,
      ),
    ],
    ...keys.map((key): Row => ['', key]),
    ...(release === 'push'
      ? [
          [
            label,
            say(
              "until the first boot, the image's own user with the same keys",
              '首次启动之前，镜像自带的用户也可以用这些密钥登录',
            ),
          ] as const,
        ]
      : []),
  ];
}

function openRows(site: Site): Row[] {
  const openings = openingsOfSite(site).map(formatOpening);
  const inTunnel = gatewayAddress(site);
  const hosts = Object.entries(servedHosts(site));
  const parts = serviceNames
    .filter((name) => isEnabled(site, name))
    .map((name) => (name === 'relay' ? say('the relay', '中继') : componentOf(name).product));
  return [
    [
      say('opens', '开放端口'),
      [say('the port of SSH', 'SSH 端口'), ...openings].join(say(', ', '、')),
    ],
    ...accessRows(site),
    ...(site.firewall.unlimited.length > 0
      ? [
          [
            say('without limits', '不限制连接'),
            site.firewall.unlimited.join(say(', ', '、')),
          ] as const,
        ]
      : []),
    ...hosts.map(([name, host]): Row => [say('serves', '提供服务'), `${host}  ${name}`]),
    ...[...new Set(hosts.map(([, host]) => host))].map(
      (host): Row => [
        say('needs DNS', '需要解析'),
        inTunnel === undefined
          ? say(
              `${host}: a record of type A (and AAAA) with the address of the server`,
              `${host}：指向服务器地址的 A 记录（和 AAAA 记录）`,
            )
          : say(
              `${host}: a record of type A with the address ${inTunnel}`,
              `${host}：指向 ${inTunnel} 的 A 记录`,
            ),
      ],
    ),
    [say('certificate', '证书'), certificateOf(site)],
    [say('runs', '运行'), parts.join(say(', ', '、'))],
  ];
}

function accessRows({ access }: Site): Row[] {
  if (!access) return [];
  const label = say('chat only for', '仅允许访问聊天');
  const server = tunnelAddress(access);
  const others = say(
    `devices of WireGuard that the server adds later, at ${server}`,
    `以后在服务器上添加的 WireGuard 设备，地址 ${server}`,
  );
  return [
    [label, others],
    ...access.peers.map(({ name, address, public_key }): Row => {
      return ['', `${name}  ${address}  ${public_key}`];
    }),
  ];
}

function certificateOf({ tls }: Site): string {
  const { mode, server } = tls;
  if (mode === 'off') return say('none: plain HTTP', '没有：使用 HTTP');
  if (mode === 'internal') {
    return say(
      'of its own authority: browsers warn at the first visit',
      '服务器自己签发，浏览器首次访问时会警告',
    );
  }
  if (mode === 'custom') return say('brought by the administrator', '由管理员提供');
  return server === undefined ? `Let's Encrypt (${mode})` : `${shownUrl(server.url)} (${mode})`;
}

function routeRows({ route, dns }: Site): Row[] {
  const label = say('route', '线路');
  const rows: Row[] = [[label, routeOf(route)]];
  if ('no_proxy' in route && route.no_proxy.length > 0) {
    rows.push(['', `${say('not for', '不经过的')}: ${route.no_proxy.join(', ')}`]);
  }
  if (dns) rows.push(['DNS', dns.nameserver.join(', ')]);
  return rows;
}

function routeOf(route: Site['route']): string {
  switch (route.mode) {
    case 'direct':
      return say('direct', '直连');
    case 'client':
      return say(
        `a proxy client on the server (capture: ${route.capture}; on failure: ${route.on_failure})`,
        `服务器上的代理客户端（capture：${route.capture}；on_failure：${route.on_failure}）`,
      );
    default: {
      const hasLogin = new URL(route.url).username !== '';
      const login = hasLogin ? say(', with its login in this file', '，登录信息在这个文件里') : '';
      return `${route.mode} ${shownUrl(route.url)}${login}`;
    }
  }
}

function downloadRows(site: Site): Row[] {
  const { mirrors, docker, models, updates } = site;
  const label = say('downloads', '下载');
  const registries = Object.entries(mirrors.registries).map(
    ([registry, urls]) => `${registry} → ${[urls].flat().map(shownUrl).join(', ')}`,
  );
  const optional = (what: string, url: string | undefined): Row[] =>
    url === undefined ? [] : [[label, `${what}: ${shownUrl(url)}`]];
  const packages = [mirrors.apt, mirrors.apt_security].flatMap((url) => url ?? []).map(shownUrl);
  const dockerSource =
    docker.source === 'distribution'
      ? say('from the distribution', '来自发行版')
      : shownUrl(docker.mirror ?? 'https://download.docker.com/linux');
  return [
    [
      label,
      `${say('packages', '软件包')}: ${packages.join(', ') || say('from the archives of the image', '来自系统镜像设置的软件源')}`,
    ],
    [label, `Docker: ${dockerSource}`],
    [
      label,
      `${say('images that the bundle lacks', '发布包里没有的镜像')}: ${registries.join('; ') || say('from their registries', '来自各自的镜像仓库')}`,
    ],
    ...optional(say('files that the bundle lacks', '发布包里没有的文件'), mirrors.files),
    ...(models?.length === 0
      ? []
      : [
          [
            label,
            `${say('models that the bundle lacks', '发布包里没有的模型')}: ${plainLine(mirrors.models ?? defaultModelHost)}`,
          ] as const,
        ]),
    ...updates.channels.map(
      (url): Row => [label, `${say('updates', '更新')} (${updateMode(site)}): ${shownUrl(url)}`],
    ),
    ...optional(say('programs of login users, GitHub', '登录用户的程序，GitHub'), mirrors.github),
    ...optional(say('programs of login users, npm', '登录用户的程序，npm'), mirrors.npm),
    ...optional(say('programs of login users, pip', '登录用户的程序，pip'), mirrors.pip),
    ...optional(say('programs of login users, models', '登录用户的程序，模型'), mirrors.hub),
  ];
}
