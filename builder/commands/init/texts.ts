import { currentLanguage } from '#contract/text/language.ts';

/** Returns the texts in the language of this process. */
export function texts(): Texts {
  return currentLanguage() === 'zh' ? chineseTexts : englishTexts;
}

/** What `landfall init` asks, in Chinese. */
export const chineseTexts: Texts = {
  intro:
    '↑/↓ 移动，空格键勾选，回车键确认。Esc 返回上一题。Ctrl-C 退出，已填的内容会保留到下一次。',
  yes: '是',
  no: '否',
  testingMirrors: '正在从这台电脑测试镜像源。',
  draft: (saved) => `继续使用 ${saved} 的回答吗？`,
  draftYes: (folder) => `是，继续 ${folder} 的回答`,
  draftNo: '否，重新开始',
  kept: '没有写入任何文件；下次运行 landfall init 时可以继续',
  understood: (value) => `已理解为 ${value}`,
  empty: '请输入内容。',

  packaged: '服务器安装哪个版本？',
  packagedYes: (release) => `${release}：由项目发布并签名`,
  packagedNo: '自己的版本：由您构建、签名和上传',
  memory: '服务器有多大？发布包会带上放得下的模型。',
  memoryOf: (memory, cpus, models) => `${memory} GB 内存，${cpus}\u00a0核以上：${models}`,
  hostedOnly: '只用云端模型',
  downloadOf: (model, size, documents) => `${model}，${documents}，共下载 ${size}`,
  searchesAny: '能检索中文文档',
  searchesEnglish: '只能检索英文文档',
  memoryAny: (size) => `多种大小的服务器：全部模型，${size}`,
  architecture: '服务器是什么处理器？',
  amd64: 'Intel 或 AMD（amd64），多数服务器是这种',
  arm64: 'Arm（arm64），例如倚天、鲲鹏、Ampere、Graviton',
  both: '两种都要：两个发布包，下载量加倍',
  releaseWay: '服务器怎么得到发布包？',
  releaseByUrl: '从网址下载：由您上传发布包',
  releaseByPush: '由您从这台电脑通过 SSH 发送',
  releaseUrl: '将存放发布包的目录网址',
  sshKeys: '哪些 SSH 密钥可以登录？',
  sshKey: '您的 SSH 公钥：公钥内容，或 .pub 文件的路径',
  uiHost: '聊天界面的域名（可以不填：不填则用 IP 地址访问）',
  filing:
    "域名指向中国大陆的服务器时需要 ICP 备案：没有备案的域名会被云服务商拦截，证书也签发不了。没有备案就留空，用 IP 地址访问：Let's Encrypt 也为 IP 地址签发证书，浏览器不会警告。也可以选择其他地区。",
  uiHostNeeded: '聊天界面的域名',
  addressIsNoHost: 'IP 地址不是域名：请留空，聊天界面就用 IP 地址访问。',
  tls: '服务器用哪种 TLS 证书？',
  tlsHost: "Let's Encrypt，为域名签发",
  tlsAddress: "Let's Encrypt，为 IP 地址签发",
  tlsInternal: '服务器自己签发；浏览器会警告',
  tlsCustom: '自己的证书',
  terms: "是否接受 Let's Encrypt 的服务条款？https://letsencrypt.org/repository/",
  termsNeeded: "使用 Let's Encrypt 必须接受其服务条款。请接受，或选择其他证书。",
  emailForAuthority: '邮箱：提供给证书颁发机构，也用来登录聊天界面',
  email: (user) => `登录聊天界面的邮箱（可以不填：不填则为 ${user}@localhost）`,
  routeWay: '服务器怎么连接外网？',
  routeDirect: '直连',
  routeProxy: '通过 HTTP 或 SOCKS5 代理',
  routeClient: '通过 Shadowsocks、VMess、VLESS、Trojan 或 Hysteria2 代理',
  proxyUrl: '代理的地址',
  proxyLogin: '代理有密码。密码放在哪里？',
  loginInSite: '放在 site.yaml：云服务商、其备份和服务器上的所有程序都能读到',
  loginByClient: '放在 proxies.yaml：由服务器上的代理客户端使用，您通过 SSH 发送',
  loginLater: '暂时不放：以后由您通过 SSH 在服务器上导入',
  mirrorsWay: '服务器需要软件源和镜像仓库的镜像源吗？',
  mirrorsNone: '不需要',
  mirrorsOwn: '需要：我自己输入地址',
  mirrorsOf: (title) => `公共镜像源：${title}`,
  mirrorsDead: (list) =>
    `从这里访问，以下镜像源没有应答：${list}。粘贴之前请用 landfall probe mirrors 再测试一次。`,
  mirrorsWork: '从这里访问，所有镜像源都有应答。',
  timezone: '服务器的时区，用于重启时间、日志和告警',
  aptMirror: 'Debian 软件源的镜像（可以不填），例如 https://mirror.example.net/debian',
  imageMirror: 'Docker Hub 的镜像（可以不填），例如 https://registry.example.net',
  modelMirror: 'Ollama 模型仓库的镜像（可以不填），例如 https://models.example.net',
  providers: '中继接入的模型服务商，密钥由中继保管（可以不选；空格键选择）',
  withoutModels:
    '2 GB 的服务器运行不了本地模型。不选模型服务商，聊天里就没有任何模型，直到您在 site.yaml 中添加。仍然继续吗？',
  frontEnds: 'Open WebUI 之外的前端（可以不选；空格键选择）',
  localModels: '服务器也运行本地模型吗？至少需要 4 GB 内存。',
};

/** What `landfall init` asks. */
export const englishTexts = {
  intro: 'Esc goes one question back. Ctrl-C stops and keeps your answers for the next time.',
  yes: 'Yes',
  no: 'No',
  testingMirrors: 'Testing the mirrors from this computer.',
  draft: (saved: string) => `Go on with your answers of ${saved}?`,
  draftYes: (folder: string) => `yes, with those for ${folder}`,
  draftNo: 'no, start again',
  kept: 'nothing was written; the next landfall init offers your answers',
  understood: (value: string) => `understood as ${value}`,
  empty: 'Enter a value.',

  packaged: 'Which release should the server install?',
  packagedYes: (release: string) => `${release}: published and signed by its project`,
  packagedNo: 'your own release, which you build, sign and upload',
  memory: 'How large is the server? The release gets the models that fit.',
  memoryOf: (memory: number, cpus: number, models: string) =>
    `${memory} GB of memory, ${cpus} CPUs or more: ${models}`,
  hostedOnly: 'hosted models only',
  downloadOf: (model: string, size: string, documents: string) =>
    `${model}, searches ${documents}; with that, a download of ${size}`,
  searchesAny: 'documents in any language',
  searchesEnglish: 'documents in English only',
  memoryAny: (size: string) => `servers of several sizes: all models, ${size}`,
  architecture: 'Which processor does the server have?',
  amd64: 'Intel or AMD (amd64), as most servers',
  arm64: 'Arm (arm64), such as Ampere and Graviton',
  both: 'both: two bundles, and twice the download',
  releaseWay: 'How does the server get the release?',
  releaseByUrl: 'it downloads it from a URL: you upload the release',
  releaseByPush: 'you send it over SSH, from this computer',
  releaseUrl: 'URL of the folder that will contain the release',
  sshKeys: 'Which SSH keys may log in?',
  sshKey: 'Your SSH public key: the key itself or the path of its .pub file',
  uiHost: 'Host name of the chat UI (optional: without one, the chat is at the IP address)',
  filing:
    "A domain of a server in mainland China needs an ICP filing (备案): without one, the cloud blocks it and no certificate is issued. Leave it empty to use the IP address: Let's Encrypt issues a certificate for that as well, and browsers show no warning. Or choose another region.",
  uiHostNeeded: 'Host name of the chat UI',
  addressIsNoHost:
    'An IP address is not a host name: leave it empty, and the chat is served at the address.',
  tls: 'Which TLS certificate should the server use?',
  tlsHost: "Let's Encrypt, for the host name",
  tlsAddress: "Let's Encrypt, for the IP address",
  tlsInternal: 'an internal authority of the server; browsers show a warning',
  tlsCustom: 'your own certificate',
  terms: "Do you accept the terms of service of Let's Encrypt? https://letsencrypt.org/repository/",
  termsNeeded:
    "Let's Encrypt requires that you accept its terms of service. Accept them, or choose another certificate.",
  emailForAuthority: 'Email address, for the certificate authority and to sign in to the chat',
  email: (user: string) =>
    `Email address to sign in to the chat (optional: without one, it is ${user}@localhost)`,
  routeWay: 'How does the server reach the internet?',
  routeDirect: 'directly',
  routeProxy: 'through an HTTP or SOCKS5 proxy',
  routeClient: 'through a proxy for Shadowsocks, VMess, VLESS, Trojan or Hysteria2',
  proxyUrl: 'URL of the proxy',
  proxyLogin: 'The proxy has a password. Where should it be?',
  loginInSite:
    'in site.yaml: the provider, its backups and every process on the server can read it',
  loginByClient:
    'in proxies.yaml: the proxy client of the server uses it, and you send it over SSH',
  loginLater: 'nowhere yet: you import the proxy on the server, over SSH',
  mirrorsWay: 'Does the server need mirrors of package archives and registries?',
  mirrorsNone: 'no',
  mirrorsOf: (title: string) => `those for servers in ${title}`,
  mirrorsOwn: 'yes: you enter their URLs',
  mirrorsDead: (list: string) =>
    `These mirrors do not answer from here: ${list}. Test them again with landfall probe mirrors before you paste.`,
  mirrorsWork: 'All mirrors answer from here.',
  timezone: 'Time zone of the server, for reboots, logs and alerts',
  aptMirror: 'Mirror of the Debian archive (optional), such as https://mirror.example.net/debian',
  imageMirror: 'Mirror of Docker Hub (optional), such as https://registry.example.net',
  modelMirror: "Mirror of Ollama's registry (optional), such as https://models.example.net",
  providers: 'Hosted providers for the relay, which keeps their keys (optional; space selects)',
  withoutModels:
    'A server with 2 GB runs no local model. Without a provider, the chat has no model until you add one to site.yaml. Go on?',
  frontEnds: 'Front-ends besides Open WebUI (optional; space selects)',
  localModels: 'Should the server also run a local model? It needs at least 4 GB of memory.',
};

/** The texts of one language. */
type Texts = typeof englishTexts;
