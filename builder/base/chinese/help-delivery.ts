import type { ChineseRows } from '#contract/text/translated.ts';

/** Descriptions of the commands for servers, hosting, networks and keys. */
export const deliveryHelpRows: ChineseRows = {
  'write the web page that makes user-data in a browser': '生成在浏览器中制作 user-data 的网页',
  'output file; - for standard output': '输出文件；- 表示标准输出',
  'set up a server over SSH': '通过 SSH 部署服务器',
  'as for ssh: root@203.0.113.7, or a name of ~/.ssh/config':
    '写法与 ssh 相同：root@203.0.113.7，或 ~/.ssh/config 中的名称',
  'as for ssh: debian@203.0.113.7, or a name of ~/.ssh/config':
    '写法与 ssh 相同：debian@203.0.113.7，或 ~/.ssh/config 中的名称',
  'as for ssh: ops@203.0.113.7, or a name of ~/.ssh/config':
    '写法与 ssh 相同：ops@203.0.113.7，或 ~/.ssh/config 中的名称',
  'bundles of one release, or their folder': '同一版本的发布包，或所在的文件夹',
  'do not ask before the server is changed': '更改服务器之前不询问',
  'send the bundle to a server that waits for it, or update a server':
    '把发布包发送给等待它的服务器，或更新服务器',
  'the bundle, or the folder of the bundles': '发布包，或所在的文件夹',
  'update a server that is installed': '更新已部署的服务器',
  'with --update: do not ask': '与 --update 一起用：不询问',
  'with --update: try a release again that was rolled back':
    '与 --update 一起用：再试一次已回滚的版本',
  'change the site of a server': '更改服务器的站点配置',
  'send site.yaml to a server that is installed, and apply it':
    '把 site.yaml 发送到已部署的服务器并应用',
  'with --yes: print the result as JSON': '与 --yes 一起用：用 JSON 输出结果',
  'private key for the login': '登录用的私钥',
  'jump host, as for ssh -J': '跳板机，与 ssh -J 相同',
  'HTTP or SOCKS5 proxy for the connection': '连接使用的 HTTP 或 SOCKS5 代理',
  'configuration of ssh (default: ~/.ssh/config)': 'ssh 的配置文件（默认：~/.ssh/config）',
  'configuration file of ssh (default: ~/.ssh/config)': 'ssh 的配置文件（默认：~/.ssh/config）',
  'proxies for a site with route.mode client, as for route import':
    'route.mode 为 client 时的代理节点，与 route import 相同',
  'for a site with restore: restore the backup on this terminal':
    '站点设置了 restore 时：在这个终端中恢复备份',
  'with --proxies: fail at any problem instead of leaving entries out':
    '与 --proxies 一起用：有任何问题就报错，不跳过节点',
  'print only errors, warnings and the report': '只显示错误、警告和报告',

  'serve a release over HTTP, for a LAN or an SSH tunnel':
    '用 HTTP 提供发布包，用于局域网或 SSH 隧道',
  'address and port; port 0 selects a free one': '地址和端口；端口 0 表示任选空闲端口',
  'print no downloads': '不显示下载',
  'print the URLs and files as JSON, once the server is ready': '就绪后用 JSON 输出网址和文件',
  'upload a release to an S3 bucket or over SFTP, and check its URL':
    '把发布包上传到 S3 存储桶或 SFTP，并检查网址',
  's3://bucket/folder, the https URL of a bucket, or sftp://user@host/folder':
    's3://存储桶/文件夹、存储桶的 https 网址，或 sftp://用户@主机/文件夹',
  'S3 endpoint (default: AWS_ENDPOINT_URL_S3, or AWS)':
    'S3 的 endpoint（默认：AWS_ENDPOINT_URL_S3，或 AWS）',
  'region (default: that of the endpoint, AWS_REGION, or us-east-1)':
    '区域（默认：endpoint 的区域、AWS_REGION 或 us-east-1）',
  'put the bucket into the host name (default: what the cloud of the endpoint needs)':
    '把存储桶写入域名（默认：按 endpoint 所属的云）',
  'URL of the folder for servers; it is checked after the upload':
    '服务器下载用的目录网址；上传后会检查',
  'use this proxy for HTTP (default: HTTPS_PROXY)': 'HTTP 使用的代理（默认：HTTPS_PROXY）',

  'test a running server from this machine': '从这台电脑测试运行中的服务器',
  'site of the server': '服务器的站点配置',
  'address of the server (default: the DNS record of its host name)':
    '服务器的地址（默认：域名的 DNS 记录）',
  'site whose mirrors are tested (default: site.yaml, if it exists)':
    '要测试镜像源的站点配置（默认：site.yaml，如果存在）',
  'site whose providers are tested (default: site.yaml, if it exists)':
    '要测试模型服务商的站点配置（默认：site.yaml，如果存在）',
  'set the proxy of your shells, and import proxies': '设置 shell 使用的代理，导入代理节点',
  'show the proxy of your shells, without its password (default)':
    '显示 shell 使用的代理，不含密码（默认）',
  'use a proxy in new shells of bash, zsh and fish': '在新的 bash、zsh 和 fish 中使用代理',
  'such as http://10.0.0.2:7890, without a password': '例如 http://10.0.0.2:7890，不含密码',
  'also reach this host, domain or network directly (repeatable)':
    '这个主机、域名或网段也直连（可重复）',
  'remove the proxy from the startup files of your shells': '从 shell 的启动文件中删除代理',
  'print settings of proxychains4 for programs that ignore proxy variables':
    '输出 proxychains4 的设置，用于不读代理变量的程序',
  'write them to a file that only you can read': '写入只有您能读取的文件',

  'sign a bundle with another key, such as the recovery key':
    '用另一个密钥为发布包签名，例如恢复密钥',
  'path of the .tar file': '.tar 文件的路径',
  'maintain the list of releases from which servers learn of updates':
    '维护版本列表，服务器从中得知更新',
  'change and show the keys that servers trust': '更改和显示服务器信任的密钥',
  'compare two releases, or two lock files': '比较两个版本，或两个锁文件',
  'bundle (.tar or any part), release.json (.json) or lock file (.yaml)':
    '发布包（.tar 或任何一个分卷）、release.json 或锁文件（.yaml）',
  'release or lock file that replaces it': '替换它的版本或锁文件',
  'trusted public key, to verify both releases; repeatable':
    '受信任的公钥，用来验证两个版本；可重复',
  'print Markdown for pull requests and release notes': '输出 Markdown，用于合并请求和更新说明',
  'exit with 1 if there are differences, and with 0 if not': '有差异时退出码为 1，没有时为 0',
  'print the JSON Schema of appliance.yaml or site.yaml, for editors':
    '输出 appliance.yaml 或 site.yaml 的 JSON Schema，供编辑器使用',
  'schema to print': '要输出的 schema',
  'for maintainers: update the checked-in schemas and tables':
    '维护者用：更新版本库中的 schema 和表格',
  'for maintainers: fail if a checked-in copy is out of date': '维护者用：版本库中的副本过期时报错',
  'print the manual page for `man landfall`': '输出 `man landfall` 的手册页',

  'add the bundles of a release folder': '加入一个版本文件夹的发布包',
  'output folder of `landfall build`, named as on the web: v1.1.0; or a channel.json':
    '`landfall build` 的输出文件夹，名称与网上的相同：v1.1.0；或 channel.json',
  'text for administrators, at most 4 kB': '给管理员的说明，最多 4 kB',
  'the most severe security problem that it solves': '它解决的最严重的安全问题',
  'offer a release to no server, and tell those that run it':
    '不再向服务器提供某个版本，并通知已安装的服务器',
  'version of the release': '版本号',
  'why, for their administrators': '原因，供管理员阅读',
  'drop an old release, to make room': '删除旧版本，腾出空间',
  'sign the channel, with the next serial, for 60 days':
    '为更新频道签名，使用下一个序号，有效期 60 天',
  'private release key: a file, env:NAME, or -': '发布私钥：文件、env:变量名，或 -',
  'show the releases of the channel': '显示更新频道中的版本',
  'folder of the channel, named after it': '更新频道的文件夹，与频道同名',
  'print the channel as JSON': '用 JSON 输出更新频道',
  'replace the trusted keys; needs the recovery key': '更换受信任的密钥；需要恢复密钥',
  'private recovery key: a file, env:NAME, or -': '恢复私钥：文件、env:变量名，或 -',
  'public release key from now on; repeatable': '今后的发布公钥；可重复',
  'public recovery key from now on (default: the same)': '今后的恢复公钥（默认：不变）',
  'public key that is never trusted again; repeatable': '永远不再信任的公钥；可重复',
  'the oldest release that servers install from now on': '今后服务器可以安装的最旧版本',
  'show the keys after the last rotation': '显示最近一次轮换之后的密钥',
  'folder with trust/, the channels and the releases': '含有 trust/、更新频道和版本的文件夹',
  'product of the appliance': '产品名称',
  'print the keys as JSON': '用 JSON 输出密钥',
};
