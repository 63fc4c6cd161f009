import { defaultModelHost } from '#contract/bundle/model-name.ts';
import { componentOf, serviceNames } from '#contract/component-names.ts';
import { alertName } from '#contract/site/alerts/targets.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import { isEnabled, servedHosts } from '#contract/site/enabled.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { formatOpening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { updateMode } from '#contract/site/updates.ts';
import { fromBase64, toBase64 } from '#contract/text/bytes.ts';
import { say } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { safeUrl } from '#http/safe-url.ts';
import { sha256 } from '#platform/sha256.ts';

/** A label with a value. */
export type Row = readonly [label: string, value: string];

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

/** Returns what a site makes of a server: who may log in, what is open, and which hosts it contacts. */
export function describeSite(site: Site): Row[] {
  return [
    ...loginRows(site),
    ...openRows(site),
    ...routeRows(site),
    ...downloadRows(site),
    ...contactRows(site),
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
  const hosts = Object.entries(servedHosts(site));
  const parts = serviceNames
    .filter((name) => isEnabled(site, name))
    .map((name) => (name === 'relay' ? say('the relay', '中继') : componentOf(name).product));
  return [
    [
      say('opens', '开放端口'),
      [say('the port of SSH', 'SSH 端口'), ...openings].join(say(', ', '、')),
    ],
    ...(site.firewall.unlimited.length > 0
      ? [
          [
            say('without limits', '不限制连接'),
            site.firewall.unlimited.join(say(', ', '、')),
          ] as const,
        ]
      : []),
    ...hosts.map(([name, host]): Row => [say('serves', '提供服务'), `${host}  ${name}`]),
    [say('certificate', '证书'), certificateOf(site)],
    [say('runs', '运行'), parts.join(say(', ', '、'))],
  ];
}

function certificateOf({ tls }: Site): string {
  const { mode, server } = tls;
  if (mode === 'off') return say('none: plain HTTP', '没有：使用 HTTP');
  if (mode === 'internal') return say('of its own authority', '服务器自己签发');
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

/** What leaves the server. */
function contactRows({ providers, hub, report, alerts, backup, restore, engines }: Site): Row[] {
  const label = say('sends to', '发送到');
  const row = (what: string, where: string): Row => [label, `${what}: ${where}`];
  return [
    ...Object.entries(providers).map(([name, { base_url }]) =>
      row(say(`chats of the provider ${name}`, `模型服务商 ${name} 的对话`), shownUrl(base_url)),
    ),
    ...(hub ? [row(say('chats of the hub', '模型库的对话'), shownUrl(hub.base_url))] : []),
    ...(engines?.nodes ?? []).map(({ name, url }) =>
      row(say(`chats of the node ${name}`, `推理节点 ${name} 的对话`), shownUrl(url)),
    ),
    ...(report?.webhook ? [row(say('the report', '报告'), shownUrl(report.webhook))] : []),
    ...alerts.map((target) =>
      row(say('alerts', '告警'), 'host' in target ? target.host : alertName(target)),
    ),
    ...(backup?.to ?? []).map((target) => row(say('backups', '备份'), targetText(target))),
    ...(restore ? [[say('restores', '恢复'), targetText(restore.from)] as const] : []),
  ];
}

/** Returns a URL without what may be secret. */
export function shownUrl(text: string): string {
  return URL.canParse(text) ? plainLine(safeUrl(new URL(text))) : '"…"';
}
