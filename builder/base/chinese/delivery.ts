import type { ChineseRows } from '#contract/text/translated.ts';

/** User-data, web servers, uploads, SSH and previews. */
export const deliveryRows: ChineseRows = {
  '{} does not support the format {}': '{1} 不支持格式 {2}',
  'some providers': '部分云服务商',
  'the user-data is too large: {} bytes, {} more than the limit of {}':
    'user-data 过大：{1} 字节，超过{3}的限制 {2} 字节',
  'paste the script into a web terminal': '把脚本粘贴到网页终端',
  'use --format gzip if the provider accepts it': '云服务商支持时用 --format gzip',
  'Shorten the site, for example with ed25519 instead of RSA keys, or {}.':
    '缩短站点配置，例如用 ed25519 密钥代替 RSA，或{1}。',
  'the script has {} bytes, which these providers do not accept: {}':
    '脚本有 {1} 字节，以下云服务商不接受：{2}',
  'unknown provider: {}': '未知的云服务商：{1}',
  '{}Choose from: {}. Without --provider, the smallest limit of all providers applies.':
    '{1}可选：{2}。不加 --provider 时，按最小的限制检查。',
  'Did you mean {}? ': '您是不是要输入 {1}？',
  'Paste it into the field "custom data", not into "user data".':
    '粘贴到“自定义数据”（custom data）栏，不是“用户数据”（user data）栏。',
  'Use the metadata key user-data; for gzip, also set user-data-encoding: base64. Choose an Ubuntu image: the Debian images do not include cloud-init.':
    '元数据的键是 user-data；用 gzip 时还要设置 user-data-encoding: base64。请选 Ubuntu 镜像：Debian 镜像没有 cloud-init。',
  'The API reference states two limits; the smaller one is applied.':
    'API 文档有两个限制，这里按较小的检查。',
  'The limit of 32,000 bytes includes SSH keys and other metadata; long keys reduce it.':
    '32,000 字节的限制包括 SSH 密钥和其他元数据；密钥长时余量更小。',
  'It has no field for user-data: run the script with TAT (自动化助手) in the console.':
    '没有 user-data 栏：请在控制台用自动化助手（TAT）运行脚本。',
  'It has no field for user-data: run the script with the command assistant (命令助手) in the console.':
    '没有 user-data 栏：请在控制台用命令助手运行脚本。',
  'User-data has no effect if the server is created with a password: choose a key pair.':
    '用密码创建的服务器不执行 user-data：请选择密钥对。',
  'The limits are those of Public Cloud; the VPS product was not checked.':
    '这是 Public Cloud 的限制；没有检查 VPS 产品。',
  'Amazon EC2': '亚马逊 EC2',
  'Alibaba Cloud': '阿里云',
  'Alibaba Cloud Simple Application Server': '阿里云轻量应用服务器',
  'Tencent Cloud': '腾讯云',
  'Tencent Lighthouse': '腾讯云轻量应用服务器',
  'Huawei Cloud': '华为云',
  'the site enables components, models or a proxy client that the release does not contain':
    '站点启用了版本中没有的组件、模型或代理客户端',
  'Run `landfall inspect` to list the contents of a bundle.':
    '运行 `landfall inspect` 列出发布包的内容。',
  'providers.{} is set': '设置了 providers.{1}',
  'components.{} is true': 'components.{1} 为 true',
  'engines is set': '设置了 engines',
  'hub is set': '设置了 hub',
  'relay.local is true': 'relay.local 为 true',
  'hosts.relay is {}': 'hosts.relay 是 {1}',
  'a front-end is enabled': '启用了前端',
  '{}, but {} {} for {} has no {}': '{1}，但 {4} 的 {2} {3} 没有 {5}',
  'Set components.{} to false, or {}.': '把 components.{1} 设为 false，或{2}。',
  'models lists {}, which {} {} for {} does not contain':
    'models 列出的 {1} 不在 {4} 的 {2} {3} 中',
  'Choose from: {}. Or pull it later on the server with: sudo landfall models pull {}':
    '可选：{1}。也可以以后在服务器上下载：sudo landfall models pull {2}',
  'route.mode is client, but {} {} for {} has no proxy client':
    'route.mode 是 client，但 {3} 的 {1} {2} 没有代理客户端',
  'Add `clients: { sing-box: {} }` to appliance.yaml, run `landfall lock`, and build again. Or set another route.mode.':
    '在 appliance.yaml 中添加 `clients: { sing-box: {1} }`，运行 `landfall lock`，再重新构建。或换一种 route.mode。',
  'build a release that has it (add it to appliance.yaml, run `landfall lock`, and build without --without)':
    '构建含有它的版本（加入 appliance.yaml，运行 `landfall lock`，构建时不加 --without）',
  'Remove the field that requires it from the site, or {}.':
    '从站点配置中删除需要它的字段，或{1}。',
  '{} serves another release': '{1} 提供的是另一个版本',
  '{} of {} URLs do not serve the release': '{2} 个网址中有 {1} 个没有提供这个版本',
  '{} does not serve a bundle: {}': '{1} 提供的不是发布包：{2}',
  'no source of the site serves {}.{}': '站点的来源都没有 {1}.{2}',
  'Check `release` in site.yaml, or pass downloaded files with --release.':
    '检查 site.yaml 的 `release`，或用 --release 指定下载好的文件。',

  '--listen {} is not an address with a port': '--listen {1} 不是带端口的地址',
  'Write, for example, --listen 0.0.0.0:8080 or --listen [::]:8080':
    '写法示例：--listen 0.0.0.0:8080 或 --listen [::]:8080',
  'a request failed: {}': '一个请求失败：{1}',
  'cannot listen on {}: {}': '无法监听 {1}：{2}',
  'the port is in use': '端口被占用',
  'this machine does not have the address': '这台机器没有这个地址',
  'permission denied': '没有权限',
  'Choose another address and port with --listen.': '用 --listen 换一个地址和端口。',
  '{} changed on disk and is not served: start the command again':
    '{1} 在磁盘上已改变，不再提供：请重新运行这条命令',
  '{} changed on disk': '{1} 在磁盘上已改变',
  '{} has another name than its release': '{1} 的文件名与版本不符',
  'Rename it to {}, which is the name that servers request.': '改名为 {1}，服务器按这个名称下载。',
  '{} has no release': '{1} 中没有版本',
  'Use the output folder of `landfall build`, a bundle in it, or the folder above releases.':
    '使用 `landfall build` 的输出文件夹、其中的发布包，或多个版本的上级文件夹。',
  'Use the output folder of `landfall build`, or a bundle in it.':
    '使用 `landfall build` 的输出文件夹，或其中的发布包。',
  '{} has no {}': '{1} 没有 {2}',

  'invalid --to: {}': '--to 无效：{1}',
  'a password is not accepted on the command line': '命令行中不能有密码',
  'the path has unsupported characters': '路径中有不支持的字符',
  'it is not s3://bucket/prefix, https://store/bucket/prefix or sftp://user@host/path':
    '不是 s3://存储桶/路径、https://存储/存储桶/路径，或 sftp://用户@主机/路径',
  'the URL has no bucket, or has unsupported characters': '网址中没有存储桶，或有不支持的字符',
  'Write, for example, --to s3://my-bucket/landfall or --to sftp://me@host/srv/www':
    '写法示例：--to s3://my-bucket/landfall 或 --to sftp://me@host/srv/www',
  '--endpoint and an https URL in --to exclude each other':
    '--endpoint 不能与 --to 的 https 网址一起用',
  'Use one of them.': '只用其中一个。',
  'no access keys for the bucket': '没有存储桶的访问密钥',
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add them to ~/.aws/credentials.':
    '设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY，或写入 ~/.aws/credentials。',
  'the endpoint is not an http or https URL without a login':
    'endpoint 不是 http 或 https 网址，或含有登录信息',
  'Write, for example, --endpoint https://s3.example.com':
    '写法示例：--endpoint https://s3.example.com',
  '{} was not stored as sent': '{1} 存储的内容与发送的不同',
  'POST {} failed: unexpected response': 'POST {1} 失败：意外的响应',
  'Check that --endpoint is the S3 endpoint, not the web page of the provider.':
    '检查 --endpoint 是不是 S3 的 endpoint，而不是云服务商的网页。',
  '{} changed during the upload': '{1} 在上传时有变化',
  'Run the command again after the build has ended.': '构建结束后重新运行这条命令。',
  'Allow the key to read and write objects of this bucket.': '允许密钥读写这个存储桶的对象。',
  'Check AWS_ACCESS_KEY_ID, and that the key belongs to this endpoint.':
    '检查 AWS_ACCESS_KEY_ID，以及密钥是否属于这个 endpoint。',
  'Check AWS_SECRET_ACCESS_KEY and --region.': '检查 AWS_SECRET_ACCESS_KEY 和 --region。',
  'Set the clock of this computer.': '校准这台电脑的时钟。',
  'Create the bucket, or check its name, --endpoint and --region.':
    '创建存储桶，或检查它的名称、--endpoint 和 --region。',
  'Add --virtual-host.': '加上 --virtual-host。',
  'Use --region {}.': '使用 --region {1}。',
  'Run the command again later; complete parts are kept.':
    '稍后重新运行这条命令；已传完的分块会保留。',
  'Check the keys and their permissions.': '检查密钥及其权限。',
  'Check the bucket and --endpoint.': '检查存储桶和 --endpoint。',
  'Check --endpoint, --region and the bucket.': '检查 --endpoint、--region 和存储桶。',
  'sftp is not installed': '没有安装 sftp',
  'Install the OpenSSH client (Debian package openssh-client).':
    '安装 OpenSSH 客户端（Debian 软件包 openssh-client）。',
  'cannot connect to {}: {}': '无法连接 {1}：{2}',
  'the upload to {} failed: {}': '上传到 {1} 失败：{2}',
  'Check the folder, its permissions and the free disk space of the server.':
    '检查文件夹、它的权限和服务器的剩余空间。',
  'Check the free disk space of the server, and run the command again.':
    '检查服务器的剩余空间，再重新运行这条命令。',
  'Sign the channel: landfall channel sign.': '为更新频道签名：landfall channel sign。',
  'the release is {}, not {}': '版本是 {1}，不是 {2}',
  'Install the package again.': '重新安装软件包。',
  'the bootstrap does not match the release': '引导程序与版本不配套',
  'gzip is not available in a web page': '网页中不能用 gzip',
  'Choose cloud-config or multipart, or run `landfall user-data`.':
    '选择 cloud-config 或 multipart，或运行 `landfall user-data`。',
  'the endpoint has no host name for {}': 'endpoint 没有 {1} 的域名',
  'Use the endpoint of this bucket, and no IP address with --virtual-host.':
    '使用这个存储桶的 endpoint；--virtual-host 不能用 IP 地址。',
  'the path {} has control characters': '路径 {1} 中有控制字符',
  'Rename the folder of the release.': '重命名版本的文件夹。',
};
