import type { ChineseRows } from '#contract/text/translated.ts';

/** Errors and hints of the command line, of `init`, `keygen` and other commands. */
export const commandRows: ChineseRows = {
  '{} {} is not a whole number from 1 to {}': '{1} {2} 不是 1 到 {3} 的整数',
  'Leave it out to use the default.': '去掉它即用默认值。',
  'Choose from: {}.': '可选：{1}。',

  'cannot create the folder {}': '无法创建文件夹 {1}',
  'Choose another folder; the file system of {} does not allow new folders.':
    '换一个文件夹；{1} 所在的文件系统不允许新建文件夹。',
  'invalid options; nothing was written': '选项无效；没有写入任何文件',
  'the answers contain a secret; nothing was written': '回答中有机密；没有写入任何文件',
  'Remove it. For a proxy with a password, run the command on a terminal, or use --route client and import the proxy on the server.':
    '删除它。代理有密码时，请在终端中运行，或用 --route client 并在服务器上导入代理。',
  'the answers are not a valid site; nothing was written':
    '回答不是有效的站点配置；没有写入任何文件',
  'missing flags: {}': '缺少选项：{1}',
  'Add them, or run the command on a terminal to be prompted.{}':
    '补上这些选项，或在终端中运行，由程序提问。{1}',
  ' For an internal certificate, use --tls internal.': '用服务器自己签发的证书：--tls internal。',
  'no SSH public key is given': '没有指定 SSH 公钥',
  'the SSH key is a private key': '这是 SSH 私钥',
  'Use the public key: the file that ends with .pub.': '请使用公钥：以 .pub 结尾的文件。',
  '{} is not an SSH public key': '{1} 不是 SSH 公钥',
  'the SSH key {}': '这个 SSH 公钥{1}',
  'Use a .pub file, or create a key pair with: ssh-keygen -t ed25519':
    '使用 .pub 文件，或生成密钥对：ssh-keygen -t ed25519',
  '{} already {} in {}': '{3} 中已有 {1}',
  'nothing was written': '没有写入任何文件',
  'nothing was changed': '没有做任何更改',
  '{} is in the git work tree {}. site.yaml contains your accounts and host names: commit it only to a private repository.':
    '{1} 在 git 工作区 {2} 中。site.yaml 有您的账户和域名：只能提交到私有的版本库。',

  '--name is not a valid key name': '--name 不是有效的密钥名称',
  'cannot prompt for a passphrase: not a terminal': '无法询问口令：不是终端',
  'Set the environment variable {}, or run this on a terminal.':
    '设置环境变量 {1}，或在终端中运行。',
  'the two inputs of the passphrase differ': '两次输入的口令不同',
  'Enter a value.': '请输入内容。',
  'Key passphrase': '密钥的口令',
  'Password of the proxy': '代理的密码',
  'Access token of the hub': '模型平台的访问令牌',
  'the release announces different keys than the given ones: {}': '版本公布的密钥与指定的不同：{1}',
  '{} announces keys that are not given: {}': '{1} 公布了没有指定的密钥：{2}',
  'no trusted key is given': '没有指定受信任的密钥',

  '--update {}: no such component, file or model': '--update {1}：没有这个组件、文件或模型',
  'using mirrors of {}': '使用以下地址的镜像源：{1}',
  '--mirror {} does not have the form host=URL': '--mirror {1} 的格式不是 主机=网址',
  'Write, for example, --mirror docker.io=https://mirror.example.cn':
    '写法示例：--mirror docker.io=https://mirror.example.cn',
  'SOURCE_DATE_EPOCH is not a whole number of seconds': 'SOURCE_DATE_EPOCH 不是整数秒',
  'Set it to seconds since 1970, for example: SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)':
    '设为 1970 年以来的秒数，例如：SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)',
  '--public-url is not an http or https URL': '--public-url 不是 http 或 https 网址',
  'Write, for example, --public-url https://downloads.example.com/landfall/':
    '写法示例：--public-url https://downloads.example.com/landfall/',
  'no release is given': '没有指定版本',
  '--part-size is only for release.json files': '--part-size 只用于 release.json 文件',
  'Leave it out: the size of the parts is known from the bundle.':
    '去掉它：从发布包可知分卷的大小。',
  'the bundle is not given': '没有指定发布包',
  'the command asks before it changes a server': '更改服务器之前需要您确认',
  '--restore asks for the password of the backups': '--restore 要询问备份的密码',
  'the server is set up, but the login as {} failed': '服务器已部署好，但以 {1} 登录失败',
  'the server did not apply the site': '服务器没有应用站点配置',
  'The reason is above. Run on the server: sudo landfall update history':
    '原因见上。在服务器上运行：sudo landfall update history',
  'the first boot of this server has not completed': '这台服务器的首次启动还没有完成',
  'the server does not wait for a bundle': '服务器没有在等待发布包',
  'Install it now?': '现在安装？',
  'logging in as {}': '以 {1} 登录',

  'another proxy': '另一个代理',
  'the settings contain the password of the proxy': '设置中有代理的密码',
  'Write them to a file with --output, which only you can read.':
    '用 --output 写入只有您能读取的文件。',
  'Run `landfall route on` with the URL of the proxy again, or `landfall route off`.':
    '重新用代理的地址运行 `landfall route on`，或运行 `landfall route off`。',
  'no proxy is set': '没有设置代理',
  'Run `landfall route on http://host:port` first.':
    '先运行 `landfall route on http://host:port`。',
  'the URL of the proxy {}': '代理的地址{1}',
  'Use http://host:port or socks5h://host:port, with user@ before the host if the proxy requires a login.':
    '使用 http://host:port 或 socks5h://host:port；代理需要登录时，在主机前写 user@。',
  'the URL contains a password, which other users of this machine can see':
    '地址中有密码，这台电脑的其他用户能看到',
  'Omit `:password`; enter it at the prompt or pass it on standard input.':
    '去掉 `:password`；按提示输入，或从标准输入传入。',
  'the password of the proxy is missing or invalid': '代理的密码缺失或无效',
  'Pass one line of at most 256 characters on standard input, or run this on a terminal.':
    '从标准输入传入一行（最多 256 个字符），或在终端中运行。',
  '{} smoke tests failed': '{1} 项冒烟测试失败',
  'the address of the server is unknown: the site has no host name':
    '不知道服务器的地址：站点没有域名',
  '{} does not resolve': '{1} 无法解析',
};
