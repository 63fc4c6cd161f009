import {
  hostComponents,
  type ServiceName,
  selectableComponents,
  serviceNames,
} from '#contract/component-names.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import type { Text } from '#contract/text/language.ts';
import { descriptionOf } from './schema-at.ts';

/** What a change of a field does on a running server. */
interface SiteEffect {
  /** Components whose containers may restart. The gateway reads its files again without a restart. */
  readonly restarts: readonly ServiceName[];
  /** Whether it could lock out the administrator, so that a new login must confirm it. */
  readonly confirms?: true;
  /** For a field of a new server only: what to do instead. */
  readonly instead?: Text;
}

/** What people read about a section or a field besides the description of the schema. */
interface SiteNote {
  /** The comment above a section of site.yaml; in English, the description by default. */
  readonly en?: string;
  readonly zh?: string;
  /** Default: that of the section. */
  readonly effect?: SiteEffect;
}

const atOnce: SiteEffect = { restarts: [] };
const restarts = (...names: readonly ServiceName[]): SiteEffect => ({ restarts: names });
const confirmed = (...names: readonly ServiceName[]): SiteEffect => ({
  restarts: names,
  confirms: true,
});
const onlyNew = (en: string, zh: string): SiteEffect => ({ restarts: [], instead: { en, zh } });
const frontEnds = ['ui', ...selectableComponents] as const;

/**
 * The notes by field. The effect with the longest name counts: `tls` includes `tls.mode`. A test renders
 * pairs of sites and finds no other container that changes.
 */
const siteNotes: Readonly<
  Record<string, SiteNote> & Record<keyof Site, SiteNote & { readonly zh: string }>
> = {
  release: {
    en: `URLs of folders with the release, tried in this order. Add a mirror that is close to the server. Or
push: you send it over SSH.`,
    zh: `存放发布包的目录地址，按顺序尝试；最好加一个离服务器近的镜像。填 push 则由您通过 SSH 发送。`,
    effect: onlyNew(
      'Later releases come from the channels of `updates`.',
      '新版本来自 `updates` 中的频道。',
    ),
  },
  admin: {
    en: 'The login user. Only logins with an SSH key are allowed; root logins are disabled.',
    zh: '登录用户。只能用 SSH 密钥登录，root 不能登录。',
  },
  'admin.user': {
    effect: onlyNew(
      'Set up a new server with it, and restore a backup there.',
      '用新的用户名部署一台新服务器，再在其上恢复备份。',
    ),
  },
  'admin.email': { effect: restarts('ui') },
  'admin.ssh_keys': { effect: confirmed() },
  hosts: {
    en: `Host names of the components: ${hostComponents.join(', ')}. Without a name for ui, the chat is at the
IP address of the server. Without its name, any other component is reachable only through an SSH tunnel.`,
    zh: `各组件的域名：${hostComponents.join('、')}。ui 没有域名时，聊天界面用服务器的 IP 地址访问；
其他组件没有域名时，只能通过 SSH 隧道访问。`,
    effect: restarts('relay', ...frontEnds),
  },
  'hosts.port': { effect: restarts('gateway', 'ui') },
  'hosts.http': { effect: restarts('gateway') },
  tls: {
    en: `acme: certificates from Let's Encrypt. acme-ip: a certificate for the IP address. internal: an
internal authority of the server. accept_terms: you accept the authority's terms of service.`,
    zh: `acme：Let's Encrypt 的证书。acme-ip：IP 地址的证书。internal：服务器自己的证书颁发机构。
accept_terms：您接受证书颁发机构的服务条款。`,
    effect: restarts('ui'),
  },
  access: {
    en: `Devices that reach the chat through a tunnel of WireGuard, while the server has no public port besides
SSH. \`sudo landfall access add phone\` adds one.`,
    zh: `通过 WireGuard 隧道访问聊天的设备；除 SSH 外，服务器不开放任何公网端口。用
\`sudo landfall access add phone\` 添加设备。`,
    effect: restarts('gateway', 'ui'),
  },
  // The gateway stays where it is.
  'access.peers': { effect: atOnce },
  'access.port': { effect: atOnce },
  'access.address': { effect: atOnce },
  route: {
    en: `How the server reaches the Internet: direct, or http-proxy or socks5 with a url, or client: a proxy
client on the server, for Shadowsocks, VMess, VLESS, Trojan and Hysteria2 (proxies/client.md of the documentation).`,
    zh: `服务器怎样访问互联网：direct（直连），或 http-proxy、socks5（加 url），或 client：服务器上的
代理客户端，支持 Shadowsocks、VMess、VLESS、Trojan 和 Hysteria2（Landfall 文档 proxies/client.md）。`,
    effect: confirmed('engine', 'relay', 'tinyproxy', 'ui'),
  },
  dns: {
    zh: '服务器及其容器使用的 DNS 服务器。默认：网络提供的 DNS 服务器。',
    effect: confirmed('engine', 'balancer', 'relay', 'tinyproxy', ...frontEnds),
  },
  socks: {
    en: 'A SOCKS5 server for your own devices.',
    zh: '供您自己的设备使用的 SOCKS5 服务器。',
    effect: confirmed(),
  },
  ca: {
    zh: '服务器额外信任的证书颁发机构，PEM 格式。',
    effect: restarts('engine', 'relay', 'balancer'),
  },
  mirrors: { zh: '离服务器近的镜像源。', effect: atOnce },
  docker: {
    zh: 'Docker 的来源。',
    effect: onlyNew(
      'It decides where Docker comes from when a server is set up.',
      '它决定部署服务器时从哪里安装 Docker。',
    ),
  },
  upgrades: { zh: '系统的自动安全更新。', effect: atOnce },
  timezone: {
    en: 'The time zone of reboots, timers, logs and alerts, and the language of messages: en or zh.',
    zh: '重启、定时任务、日志和告警所用的时区，以及消息的语言：en 或 zh。',
    effect: atOnce,
  },
  language: {
    en: 'The language of alerts, of the login message and of commands: en or zh.',
    zh: '告警、登录信息和命令的语言：en 或 zh。',
    // The suggestions of the chat.
    effect: restarts('ui'),
  },
  updates: {
    en: `Where the server learns of new releases. By default, it announces them. With mode: install, it also
installs them.`,
    zh: '新版本从哪里来。默认只通知；设为 mode: install 时自动安装。',
    effect: atOnce,
  },
  backup: { zh: '聊天、文档、设置和密钥的备份。', effect: atOnce },
  restore: {
    en: 'Only for a new server: it waits until `sudo landfall restore` has brought a backup.',
    zh: '只用于新服务器：等待 `sudo landfall restore` 取回备份。',
    effect: onlyNew(
      'Use `sudo landfall restore` on this server.',
      '在本服务器上请使用 `sudo landfall restore`。',
    ),
  },
  components: {
    en: 'Front-ends besides Open WebUI. They need a provider.',
    zh: 'Open WebUI 以外的前端，需要模型服务商。',
    effect: restarts('relay', ...selectableComponents),
  },
  models: {
    en: `Models to install from the release. Default: the largest model that fits into memory. An empty list:
only hosted models.`,
    zh: '安装发布包里的哪些模型。默认：内存放得下的最大的模型。空列表：只用云端模型。',
    effect: restarts('engine', 'ui', 'relay', 'balancer'),
  },
  context: {
    zh: '与本地模型的一次对话最多有多少 token。编程助手需要 65536。',
    effect: restarts('engine', 'ui', 'relay'),
  },
  context_cache: { zh: 'q8_0：对话的内存减半，但更慢。', effect: restarts('engine', 'ui') },
  engines: {
    zh: '由 HAProxy 分配到多台服务器的本地模型（Landfall 文档 scale.md）。',
    effect: restarts('ui', 'relay', 'balancer'),
  },
  // Docker restarts, because Swarm refuses to keep containers running meanwhile.
  'engines.swarm': { effect: restarts(...serviceNames) },
  role: {
    zh: '用于只为另一台服务器运行 Ollama 的服务器（Landfall 文档 scale.md）。',
    effect: onlyNew(
      'Set up a new server with it: an engine node has no chat.',
      '用它部署一台新服务器：推理节点没有聊天功能。',
    ),
  },
  engine_node: {
    en: 'What an engine node needs to know. `landfall engines show` prints it.',
    zh: '推理节点需要的信息，由 `landfall engines show` 输出。',
    effect: restarts('engine'),
  },
  providers: {
    en: 'Hosted providers that the relay serves. Set their keys on the server.',
    zh: '中继所用的模型服务商。密钥请在服务器上设置。',
    effect: restarts('relay', 'tinyproxy', ...frontEnds),
  },
  hub: {
    zh: '提供托管推理的模型社区，由中继在 /hub/models 提供。',
    effect: restarts('relay'),
  },
  firewall: { zh: '开放的端口和连接限制。', effect: atOnce },
  report: { zh: '服务器就绪时的通知。', effect: atOnce },
  alerts: { zh: '服务器把告警发到哪里。地址和密码在服务器上设置。', effect: atOnce },
  relay: { zh: '中继：统一提供模型服务商和本地模型。', effect: restarts('relay', 'ui') },
  'relay.keys': { effect: restarts('relay') },
  ui: { zh: '聊天界面。', effect: restarts('ui') },
  tinyproxy: { zh: 'HTTP 代理。', effect: restarts('tinyproxy') },
  ports: {
    zh: '服务器本机地址上的端口，供 SSH 隧道使用。',
    effect: restarts('engine', 'relay', 'tinyproxy', ...frontEnds),
  },
  // They stand for other fields.
  variables: {
    zh: '使用其他教程中名称的变量，对应上面的设置。',
    effect: confirmed('engine', 'relay', 'tinyproxy', ...frontEnds),
  },
};

/** Fields with an effect of their own. */
export const fieldsWithEffect: readonly string[] = Object.keys(siteNotes).filter(
  (field) => siteNotes[field]?.effect,
);

/** Returns the comment of site.yaml above a section. */
export function commentOf(section: keyof Site): Text {
  const { en, zh } = siteNotes[section];
  return { en: en ?? descriptionOf(siteSchema.shape[section]) ?? '', zh };
}

/**
 * Returns the effect of a change of a field.
 * @param field `tls.mode`
 * @throws Error for a field that the site does not have
 */
export function effectOf(field: string): SiteEffect {
  const parts = field.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('.');
    const effect = Object.hasOwn(siteNotes, name) && siteNotes[name]?.effect;
    if (effect) return effect;
  }
  throw new Error(`the site has no field ${field}`);
}
