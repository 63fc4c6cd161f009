import type { ChineseRows } from '#contract/text/translated.ts';

/** Alerts, the stack, its images and its models. */
export const serviceRows: ChineseRows = {
  'the token of the Telegram bot is invalid': 'Telegram 机器人的令牌无效',
  'the URL of the alert target is invalid': '告警接收方的地址无效',
  '{}:{} did not respond in time': '{1}:{2} 没有及时响应',
  '{} rejected the login': '{1} 拒绝了登录',
  'Check `user` in the site, and set the password with `sudo landfall secret set`.':
    '检查站点的 `user`，并用 `sudo landfall secret set` 设置密码。',
  '{} rejected the sender or a recipient': '{1} 拒绝了发件人或收件人',
  'Check `from` and `to` in the site.': '检查站点的 `from` 和 `to`。',
  '{} rejected the message': '{1} 拒绝了消息',
  '{} rate-limited the message': '{1} 限制了消息的频率',
  'status {}, error {}': '状态 {1}，错误 {2}',
  'Check the limits of the mail server.': '检查邮件服务器的限制。',
  '{} does not support STARTTLS': '{1} 不支持 STARTTLS',
  'Set `security: tls` and the port 465, or use another server.':
    '设置 `security: tls` 和端口 465，或换一台服务器。',
  '{} is not available for mail{}': '{1} 没有邮件服务{2}',
  'the proxy {} cannot reach {}:{}: {}': '代理 {1} 无法连接 {2}:{3}：{4}',
  '{} redirects, which is not followed': '{1} 要求重定向，未予跟随',
  'Add the keyword Landfall to the robot.': '在机器人的设置中加入关键词 Landfall。',
  'Add the keyword Landfall to the robot, set its signing secret, or allow the public address of the server.':
    '在机器人的设置中加入关键词 Landfall，或设置签名密钥，或允许服务器的公网 IP。',
  'Set the signing secret of the robot, and check the clock of the server.':
    '设置机器人的签名密钥，并检查服务器的时钟。',
  'Allow the public address of the server in the settings of the robot.':
    '在机器人的设置中允许服务器的公网 IP。',
  'Copy the URL again, and set it with `sudo landfall secret set`.':
    '重新复制地址，并用 `sudo landfall secret set` 设置。',
  'Verify your identity at PushPlus.': '在 PushPlus 完成实名认证。',
  'Check `chat` in the site, and send a message to the bot first.':
    '检查站点的 `chat`，并先给机器人发一条消息。',
  'Set the token that @BotFather shows.': '设置 @BotFather 显示的令牌。',
  'Add the bot to the chat.': '把机器人加入聊天。',

  'a component of the stack did not start': '有组件没有启动',
  'see: {}': '查看：{1}',
  'secrets of the stack are missing': '缺少组件的机密',
  '{} contains a quote, a backslash or a control character': '{1} 中有引号、反斜杠或控制字符',
  'no response within {}': '{1} 内没有响应',
  'generating secrets failed': '生成机密失败',
  'the chat UI does not show its models to accounts': '聊天界面没有向账户显示模型',
  '{} smoke tests failed': '{1} 项冒烟测试失败',
  'waiting for a backup; restore it on this server: sudo landfall restore':
    '等待备份；在这台服务器上恢复：sudo landfall restore',

  'Docker cannot import the image of {} from the release': 'Docker 无法从版本导入 {1} 的镜像',
  'the import of the image of {} stalled': '{1} 的镜像导入停滞',
  'Docker reports: {}': 'Docker 的输出：{1}',
  'the pull of {} stalled': '{1} 的下载停滞',
  'Check the route, or set mirrors.registries in the site to a mirror.':
    '检查线路，或把站点的 mirrors.registries 设为镜像源。',
  '{} could not be pulled': '无法下载 {1}',
  'Set mirrors.registries in the site to a mirror, set a route, or use a full bundle, which contains the images.':
    '把站点的 mirrors.registries 设为镜像源，设置线路，或使用含有镜像的完整发布包。',
  '{} could not be pulled: no space left on the disk': '无法下载 {1}：磁盘已满',
  'Free some space, or disable optional components.': '释放一些空间，或停用可选的组件。',
  '{} could not be pulled: rate-limited by the registry': '无法下载 {1}：镜像仓库限制了频率',
  'Wait some hours, or run sudo docker login. Otherwise: {}':
    '等待几小时，或运行 sudo docker login。或者：{1}',
  '{} could not be pulled: image not found': '无法下载 {1}：找不到镜像',
  'Use another mirror, a newer release, or a full bundle.':
    '换一个镜像源、更新的版本，或完整发布包。',
  '{} could not be pulled: authentication required': '无法下载 {1}：需要登录',
  'Use a mirror that allows anonymous pulls, use a full bundle, or run sudo docker login.':
    '使用允许匿名下载的镜像源或完整发布包，或运行 sudo docker login。',
  '{} could not be pulled: untrusted TLS certificate': '无法下载 {1}：TLS 证书不受信任',
  'Check the clock, and bypass a proxy that inspects TLS. {}':
    '检查时钟，绕过替换 TLS 证书的代理。{1}',
  '{} could not be pulled: the registry speaks plain HTTP': '无法下载 {1}：镜像仓库只用 HTTP',
  'Write the mirror with http:// in front.': '在镜像源前写 http://。',
  'Docker is missing images of this release': 'Docker 缺少这个版本的镜像',
  '{} is missing or another image': '{1} 缺失，或是另一个镜像',
  "Docker's storage is damaged": 'Docker 的存储已损坏',
  '{} cannot be read': '无法读取 {1}',

  'not enough disk space for {}: {} needed, {} free': '磁盘空间不足以存放 {1}：需要 {2}，剩余 {3}',
  'Check the disk, then move the folder of the release away and run the bootstrap again.':
    '检查磁盘，移走版本的文件夹，再运行引导程序。',
  'Find out which program created it, then remove it: only Ollama writes to its store.':
    '查明是哪个程序创建的，然后删除它：只有 Ollama 写入它的存储。',
  '{} does not match the release': '{1} 与版本不符',
  '{} is not a model manifest': '{1} 不是模型的清单',
  '{} is not in the release': '{1} 不在版本中',
  'Download the release again: remove its folder and start landfall-boot.':
    '重新下载版本：删除它的文件夹，再启动 landfall-boot。',
  'Write it without a scheme: {}': '去掉协议，写成：{1}',
  'Add a tag, such as {}:latest.': '加上标签，例如 {1}:latest。',
  'Write it as qwen3:8b, as me/model:tag, or with its registry as hf.co/me/model:tag.':
    '写成 qwen3:8b、me/model:tag，或带仓库的 hf.co/me/model:tag。',
  '{} names its own registry': '{1} 已写明仓库',
  'Run `sudo landfall models list`. No models are installed.':
    '运行 `sudo landfall models list`。没有安装模型。',
  'Ollama does not list {} after pulling it': '下载之后，Ollama 没有列出 {1}',
  'digest mismatch of {} from {}': '来自 {2} 的 {1} 摘要不符',
  'expected {}': '应为 {1}',
  'received {}': '收到 {1}',
  'the pull of {} from {} stalled': '从 {2} 下载 {1} 时停滞',
  'cannot pull {} from {}: {}': '无法从 {2} 下载 {1}：{3}',
  'Ollama reports: {}': 'Ollama 的输出：{1}',
  'unknown error': '未知的错误',
  'Check the network. Downloaded parts are kept.': '检查网络。已下载的部分会保留。',
  'the mirror requires HTTPS': '镜像源要求 HTTPS',
  'Write the mirror with https:// in front.': '在镜像源前写 https://。',
  'the model requires a newer version of Ollama': '模型需要更新版本的 Ollama',
  'Install a newer release, or choose an older model.': '安装更新的版本，或选择较旧的模型。',
  'rate-limited by the registry': '仓库限制了频率',
  'Wait some minutes, or set mirrors.models to a mirror.':
    '等待几分钟，或把 mirrors.models 设为镜像源。',
  'the registry failed': '仓库出错',
  'authentication required, or access denied': '需要登录，或拒绝访问',
  'Use a mirror that allows anonymous pulls.': '使用允许匿名下载的镜像源。',
  'model or tag not found': '找不到模型或标签',
  'Check the name and the tag at https://ollama.com/library.':
    '在 https://ollama.com/library 核对名称和标签。',
  'the registry rejected the request': '仓库拒绝了请求',
  'Check the mirror, and the proxy on the way to it.': '检查镜像源，以及经过的代理。',
  'no space left on the disk': '磁盘已满',
  'Free some space, or choose a smaller model. Downloaded parts are kept.':
    '释放一些空间，或选择较小的模型。已下载的部分会保留。',
  'Ollama cannot write to its volume': 'Ollama 无法写入它的数据卷',
  'Check the volume: sudo docker volume inspect landfall_engine-data':
    '检查数据卷：sudo docker volume inspect landfall_engine-data',
  'the registry speaks plain HTTP': '仓库只用 HTTP',
  'the registry does not redirect blobs as Ollama requires': '仓库没有按 Ollama 的要求重定向 blob',
  'Use a mirror that redirects blobs with status 307 to another host name, or remove mirrors.models.':
    '使用以状态 307 把 blob 重定向到另一个域名的镜像源，或删除 mirrors.models。',
  'the response is not a model manifest': '响应不是模型的清单',
  'Log in to the captive portal of the network, or bypass the proxy that responds for this host.':
    '登录网络的认证页面，或绕过代替这个主机响应的代理。',
  'safetensors models do not run on this server': 'safetensors 模型无法在这台服务器上运行',
  'Choose a tag of the model that is in GGUF format.': '选择 GGUF 格式的标签。',
  'untrusted TLS certificate': 'TLS 证书不受信任',
  'Check the clock of the server with timedatectl, and bypass the proxy that inspects TLS, or set mirrors.models to a mirror with a publicly trusted certificate.':
    '用 timedatectl 检查服务器的时钟，绕过替换 TLS 证书的代理，或把 mirrors.models 设为证书受公开信任的镜像源。',
  'digest mismatch of a downloaded blob': '下载的 blob 摘要不符',
  'Use another mirror, or none, if it happens again.': '再次出现时，换一个镜像源，或不用镜像源。',
  'the proxy is unreachable, or refused the connection': '无法连接代理，或代理拒绝了连接',
  'Start the proxy, and allow this host and the host that it redirects blobs to.':
    '启动代理，并允许这个主机和它重定向 blob 的主机。',
  'host name not found in DNS': 'DNS 中没有这个域名',
  'Check the name and the DNS servers, or set mirrors.models to a mirror that the server can reach.':
    '检查域名和 DNS 服务器，或把 mirrors.models 设为服务器能访问的镜像源。',
  'connection failed': '连接失败',
  'Check the network, or set mirrors.models to a mirror that the server can reach. Downloaded parts are kept.':
    '检查网络，或把 mirrors.models 设为服务器能访问的镜像源。已下载的部分会保留。',
  'Ollama does not list models that are in its store': 'Ollama 没有列出存储中的模型',
  '{} is not listed, or has another digest': '{1} 没有列出，或摘要不同',

  'show which models of the release this server has memory for, and with which context':
    '显示这台服务器的内存放得下版本中的哪些模型，以及多长的上下文',
  'tokens of a conversation, such as 65536': '一个对话的 token 数，例如 65536',
  'Use a number of tokens up to 1048576, such as 65536.':
    '请用不超过 1048576 的 token 数，例如 65536。',
  'print the settings of a client, such as Claude Code, and make its relay key':
    '显示客户端（例如 Claude Code）的设置，并生成它的中继密钥',
  'such as claude-code; without it, the clients are listed':
    '例如 claude-code；不写则列出所有客户端',
  'relay key to use, or to make (default: the name of the client)':
    '使用或生成的中继密钥（默认：客户端的名称）',
  'tokens of a new key: 200k/day, 3M/month':
    '新密钥的 token 数：200k/day（每天）、3M/month（每月）',
  'model (default: one that the key may use, of this server first)':
    '模型（默认：密钥可以使用的模型，这台服务器的优先）',
  'API of the client': '客户端的 API',
  'also print its link as a QR code, for apps with a link':
    '同时用二维码显示它的链接，适用于有链接的应用',
  'Use a number of tokens and a time, such as 3M/month.':
    '请写 token 数和时间，例如 3M/month（每月）。',
};
