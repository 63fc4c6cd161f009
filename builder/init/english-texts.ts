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
  downloadOf: (model: string, size: string) =>
    `${model}, with document search a download of ${size}`,
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
    'A domain of a server in mainland China needs an ICP filing (备案): without one, the cloud blocks it and no certificate is issued. Leave it empty to use the IP address, or choose another region.',
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
  providers: 'Hosted providers for the relay (optional; space selects)',
  frontEnds: 'Front-ends besides Open WebUI (optional; space selects)',
  localModels: 'Should the server also run a local model? It needs at least 4 GB of memory.',
};

/** The texts of one language. */
export type Texts = typeof englishTexts;
