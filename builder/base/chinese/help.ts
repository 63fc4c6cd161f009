import type { ChineseRows } from '#contract/text/translated.ts';

/** Descriptions of commands, options and arguments. */
export const helpRows: ChineseRows = {
  // Headings of the groups.
  'Make a release': '制作版本',
  'Keys and channels': '密钥和更新频道',

  'A private AI server from one paste.': '粘贴一次，得到一台私有 AI 服务器。',

  'print only errors': '只显示错误',
  'print only errors and warnings': '只显示错误和警告',
  'path of the appliance': 'appliance.yaml 的路径',
  'path of the site': '站点配置的路径',
  'output folder': '输出文件夹',
  'trusted public key; repeatable': '受信任的公钥；可重复',
  'trusted recovery key': '受信任的恢复密钥',
  'trust the keys that a release announces, and print both lists':
    '信任版本公布的密钥，并显示新旧两份列表',
  'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)':
    '也信任这个 PEM 文件中的证书颁发机构（默认：REQUESTS_CA_BUNDLE）',
  'folder of the blob store (default: the user cache folder)':
    '存放下载内容的文件夹（默认：用户的缓存文件夹）',
  'try this mirror of a registry or of github.com first; repeatable (default: the mirrors of the site.yaml beside the appliance)':
    '先用这个镜像仓库或 github.com 的镜像源；可重复（默认：同一文件夹中 site.yaml 的镜像源）',
  'use this proxy for all connections (default: HTTPS_PROXY)':
    '所有连接都用这个代理（默认：HTTPS_PROXY）',
  'number of parallel downloads (default: 12)': '同时下载的数量（默认：12）',
  'path of the .tar file, of any part of it, or of a folder with bundles':
    '.tar 文件、任何一个分卷，或发布包所在的文件夹',
  'output folder of `landfall build`, a bundle, or the folder above releases':
    '`landfall build` 的输出文件夹、一个发布包，或多个版本的上级文件夹',
  'allow a proxy password in route.url': '允许 route.url 中有代理密码',
  'private key: a file, env:NAME, or - for standard input':
    '私钥：文件、env:变量名，或 - 表示标准输入',

  'create site.yaml, and appliance.yaml for your own release':
    '生成 site.yaml；构建自己的版本时还有 appliance.yaml',
  'build your own release instead of using the published one': '构建自己的版本，不用已发布的版本',
  'URL of the folder that will contain your own release, or push':
    '将存放自己的版本的目录网址，或 push',
  'SSH public key that may log in, as a file or a line; repeatable':
    '可以登录的 SSH 公钥：文件或一行内容；可重复',
  'login user (default: ops)': '登录用户（默认：ops）',
  'host name of the chat UI': '聊天界面的域名',
  'source of the TLS certificate': 'TLS 证书的来源',
  'validate host names by DNS records instead of port 80, such as alidns':
    '用 DNS 记录验证域名，不用 80 端口，例如 alidns',
  'email address for the certificate authority': '提供给证书颁发机构的邮箱',
  "accept the certificate authority's terms of service": '接受证书颁发机构的服务条款',
  'URL of an HTTP or SOCKS5 proxy that the server uses, or client':
    '服务器使用的 HTTP 或 SOCKS5 代理的地址，或 client',
  'public mirrors of mainland China': '中国大陆的公共镜像源',
  'time zone of the server, such as Asia/Shanghai': '服务器的时区，例如 Asia/Shanghai',
  'language of the questions (default: that of the locale)': '提问的语言（默认：系统的语言）',
  'hosted provider for the relay; repeatable': '中继接入的模型服务商；可重复',
  'front-end besides Open WebUI; repeatable': 'Open WebUI 之外的前端；可重复',
  'memory of the server: an own release gets the models that fit (default: any)':
    '服务器的内存：自己的版本会带上放得下的模型（默认：any）',
  'processor of the server, for an own release; repeatable (amd64 without it)':
    '服务器的处理器，用于自己的版本；可重复（默认：amd64）',
  'use hosted models only': '只用云端模型',
  'do not prompt; use defaults for missing flags': '不提问；没有指定的选项用默认值',
  'overwrite existing files': '覆盖已有的文件',

  'create a key pair that signs releases': '生成为版本签名的密钥对',
  'name of the key pair in the key folder': '密钥对在密钥文件夹中的名称',
  'write <path>.key and <path>.pub instead of using the key folder':
    '写入 <path>.key 和 <path>.pub，不用密钥文件夹',
  'encrypt the private key with a passphrase': '用口令加密私钥',

  'pin images, files and models by digest in appliance.lock.yaml':
    '把镜像、文件和模型的摘要写入 appliance.lock.yaml',
  'change nothing; fail if the lock file does not match the appliance':
    '不做更改；锁文件与 appliance.yaml 不一致时报错',
  'resolve this component, file or model again (default: all)':
    '重新查询这个组件、文件或模型（默认：全部）',

  'build signed bundles from appliance.yaml': '用 appliance.yaml 构建签名的发布包',
  'include all images and models in the bundle': '把全部镜像和模型放入发布包',
  'reference images by digest; the server pulls them (default)':
    '只写入镜像的摘要，由服务器下载（默认）',
  'build only for this architecture; repeatable': '只为这个架构构建；可重复',
  'private key: a file, env:NAME, or - for standard input (default: release.key of `landfall keygen`)':
    '私钥：文件、env:变量名，或 - 表示标准输入（默认：`landfall keygen` 的 release.key）',
  'do not change the lock file; fail if it is outdated or incomplete':
    '不更改锁文件；锁文件过期或不完整时报错',
  'leave out an optional component or a model; repeatable': '不包含某个可选组件或模型；可重复',
  'write a larger bundle in parts of at most this size, such as 1.9GB':
    '发布包更大时分卷，每卷不超过这个大小，例如 1.9GB',
  'fail if the license of anything in the bundle is not known': '发布包中有许可证不明的内容时报错',
  'compare with a published release.json, a file or URL, instead of building':
    '不构建，而是与已发布的 release.json（文件或网址）比较',

  'verify that a bundle is complete and signed by a trusted key':
    '验证发布包完整，并由受信任的密钥签名',
  'required SHA-256 of release.json': 'release.json 必须有的 SHA-256',
  'required architecture': '必须有的架构',

  'run the stack of a bundle on this computer, with Docker': '用 Docker 在这台电脑上运行发布包',
  'site with the components and providers (default: no options)':
    '启用组件和模型服务商的站点配置（默认：没有选项）',
  'name of the preview (default: from the current folder)': '预览的名称（默认：取自当前文件夹）',
  'port of the chat UI (default: 8443, or a free one)': '聊天界面的端口（默认：8443，或空闲端口）',
  'do not open the browser': '不打开浏览器',
  'remove the preview': '删除预览',
  'with --down: keep the volumes with chats and models': '与 --down 一起用：保留对话和模型的数据卷',

  'print the contents of a bundle without verifying it': '显示发布包的内容，不验证',

  'render the user-data that sets up a new server': '生成用来部署新服务器的 user-data',
  'bundles of one release, their folder, or their release.json files (default: the release of the package)':
    '同一版本的发布包、所在的文件夹，或 release.json 文件（默认：软件包附带的版本）',
  'size of the parts, if release.json files are given for a bundle in parts':
    '分卷的大小，用于只有 release.json 的分卷发布包',
  'check the limits of this provider': '检查这家云服务商的限制',
  'format of the user-data, or a shell script that does the same (default: cloud-config, or what the provider has)':
    'user-data 的格式，或作用相同的 shell 脚本（默认：cloud-config，或云服务商支持的格式）',
  'output file; - for standard output (default: user-data.yaml, or user-data.sh for a script)':
    '输出文件；- 表示标准输出（默认：user-data.yaml；脚本为 user-data.sh）',
  'check that the URLs of the site serve the release': '检查站点的网址提供这个版本',
  'use this proxy for downloads and --check-urls (default: HTTPS_PROXY)':
    '下载和 --check-urls 使用的代理（默认：HTTPS_PROXY）',

  "read another person's user-data before you paste it": '粘贴别人的 user-data 之前，看清它的内容',
  'path of the user-data, or of a site': 'user-data 或站点配置的路径',
  'bundles of its release, their folder, or their release.json files, to compare it with':
    '用来比较的发布包、所在的文件夹，或 release.json 文件',
};
