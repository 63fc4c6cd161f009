import { hostComponents } from '#contract/component-names.ts';
import type { Site } from '#contract/site/site.ts';
import type { Text } from '#contract/text/language.ts';

/** The comments of site.yaml, by the field below them. */
export const siteComments: Readonly<Record<keyof Site, Text>> = {
  release: {
    en: `URLs of folders with the release, tried in this order. Add a mirror that is close to the server. Or
push: you send it over SSH.`,
    zh: `存放发布包的目录地址，按顺序尝试；最好加一个离服务器近的镜像。填 push 则由您通过 SSH 发送。`,
  },
  updates: {
    en: 'Where the server learns of new releases. By default, it announces them and installs none.',
    zh: '新版本从哪里来。默认只通知，不自动安装。',
  },
  admin: {
    en: 'The login user. Only logins with an SSH key are allowed; root logins are disabled.',
    zh: '登录用户。只能用 SSH 密钥登录，root 不能登录。',
  },
  hosts: {
    en: `Host names of the components: ${hostComponents.join(', ')}. Without a name for ui, the chat is at the
IP address of the server. Without its name, any other component is reachable only through an SSH tunnel.`,
    zh: `各组件的域名：${hostComponents.join('、')}。ui 没有域名时，聊天界面用服务器的 IP 地址访问；
其他组件没有域名时，只能通过 SSH 隧道访问。`,
  },
  tls: {
    en: `acme: certificates from Let's Encrypt. acme-ip: a certificate for the IP address. internal: an
internal authority of the server. accept_terms: you accept the authority's terms of service.`,
    zh: `acme：Let's Encrypt 的证书。acme-ip：IP 地址的证书。internal：服务器自己的证书颁发机构。
accept_terms：您接受证书颁发机构的服务条款。`,
  },
  route: {
    en: `How the server reaches the Internet: direct, or http-proxy or socks5 with a url, or client: a proxy
client on the server, for Shadowsocks, VMess, VLESS, Trojan and Hysteria2 (proxies/client.md of the documentation).`,
    zh: `服务器怎样访问互联网：direct（直连），或 http-proxy、socks5（加 url），或 client：服务器上的
代理客户端，支持 Shadowsocks、VMess、VLESS、Trojan 和 Hysteria2（Landfall 文档 proxies/client.md）。`,
  },
  mirrors: {
    en: 'Mirrors that are close to the server.',
    zh: '离服务器近的镜像源。',
  },
  timezone: {
    en: 'The time zone of reboots, timers, logs and alerts, and the language of messages: en or zh.',
    zh: '重启、定时任务、日志和告警所用的时区，以及消息的语言：en 或 zh。',
  },
  language: {
    en: 'The language of alerts, of the login message and of commands: en or zh.',
    zh: '告警、登录信息和命令的语言：en 或 zh。',
  },
  models: {
    en: `Models to install from the release. Default: the largest model that fits into memory. An empty list:
only hosted models.`,
    zh: '安装发布包里的哪些模型。默认：内存放得下的最大的模型。空列表：只用云端模型。',
  },
  providers: {
    en: 'Hosted providers that the relay serves. Set their keys on the server.',
    zh: '中继所用的模型服务商。密钥请在服务器上设置。',
  },
  components: {
    en: 'Front-ends besides Open WebUI. They need a provider.',
    zh: 'Open WebUI 以外的前端，需要模型服务商。',
  },
  dns: {
    en: 'DNS servers of the server and its containers. Default: those of the network.',
    zh: '服务器及其容器使用的 DNS 服务器。默认：网络提供的 DNS 服务器。',
  },
  socks: {
    en: 'A SOCKS5 server for your own devices.',
    zh: '供您自己的设备使用的 SOCKS5 服务器。',
  },
  ca: {
    en: 'Additional certificate authorities that the server trusts, in PEM.',
    zh: '服务器额外信任的证书颁发机构，PEM 格式。',
  },
  docker: { en: 'The source of Docker.', zh: 'Docker 的来源。' },
  upgrades: {
    en: 'Automatic security upgrades of the system.',
    zh: '系统的自动安全更新。',
  },
  backup: {
    en: 'Backups of chats, documents, settings and keys.',
    zh: '聊天、文档、设置和密钥的备份。',
  },
  restore: {
    en: 'Only for a new server: it waits until `sudo landfall restore` has brought a backup.',
    zh: '只用于新服务器：等待 `sudo landfall restore` 取回备份。',
  },
  engines: {
    en: 'Local models on several servers, behind HAProxy (scale.md of the documentation).',
    zh: '由 HAProxy 分配到多台服务器的本地模型（Landfall 文档 scale.md）。',
  },
  role: {
    en: 'Set for a server whose Ollama answers for another server only (scale.md of the documentation).',
    zh: '用于只为另一台服务器运行 Ollama 的服务器（Landfall 文档 scale.md）。',
  },
  engine_node: {
    en: 'What an engine node needs to know. `landfall engines show` prints it.',
    zh: '推理节点需要的信息，由 `landfall engines show` 输出。',
  },
  hub: {
    en: 'A model hub with hosted inference, which the relay serves at /hub/models.',
    zh: '提供托管推理的模型社区，由中继在 /hub/models 提供。',
  },
  firewall: {
    en: 'Open ports and connection limits.',
    zh: '开放的端口和连接限制。',
  },
  report: {
    en: 'Notification when the server is ready.',
    zh: '服务器就绪时的通知。',
  },
  alerts: {
    en: 'Where the server sends alerts. Their URLs and passwords are set on the server.',
    zh: '服务器把告警发到哪里。地址和密码在服务器上设置。',
  },
  relay: {
    en: 'The relay for hosted providers and local models.',
    zh: '中继：统一提供模型服务商和本地模型。',
  },
  ui: { en: 'The chat UI.', zh: '聊天界面。' },
  tinyproxy: { en: 'The HTTP proxy.', zh: 'HTTP 代理。' },
  ports: {
    en: 'Ports on the loopback address of the server, for SSH tunnels.',
    zh: '服务器本机地址上的端口，供 SSH 隧道使用。',
  },
  variables: {
    en: 'Variables with the names of other guides, mapped to the settings above.',
    zh: '使用其他教程中名称的变量，对应上面的设置。',
  },
};
