import type { ChineseRows } from '#contract/text/translated.ts';

/** Installation over SSH, previews on this computer, and quickstart. */
export const serverRows: ChineseRows = {
  'Write it as for ssh, such as root@203.0.113.7, or ssh://root@203.0.113.7:2222.':
    '写法与 ssh 相同，例如 root@203.0.113.7，或 ssh://root@203.0.113.7:2222。',
  'ssh cannot be started: {}': '无法启动 ssh：{1}',
  'Install the OpenSSH client: apt-get install openssh-client':
    '安装 OpenSSH 客户端：apt-get install openssh-client',
  'no SSH connection to {}: {}': '无法通过 SSH 连接 {1}：{2}',
  'no SSH connection to {}: a command did not end within {} seconds':
    '与 {1} 的 SSH 连接没有响应：命令在 {2} 秒内没有结束',
  'Check the server and your network, and run the command again.':
    '检查服务器和网络，再重新运行这条命令。',
  'the server does not forward a port over SSH': '服务器不允许 SSH 端口转发',
  'Set AllowTcpForwarding to yes in its /etc/ssh/sshd_config, and restart sshd.':
    '在服务器的 /etc/ssh/sshd_config 中设置 AllowTcpForwarding yes，并重启 sshd。',
  'a command on {} prints too much': '{1} 上的命令输出过多',
  'Log in with ssh, and check what the shell prints when it starts.':
    '用 ssh 登录，检查 shell 启动时输出了什么。',
  'the server printed no valid JSON': '服务器输出的不是有效的 JSON',
  'the URL of --ssh-proxy has a password': '--ssh-proxy 的地址中有密码',
  'Other users of this computer can see arguments. Set {} to the URL instead.':
    '这台电脑的其他用户能看到命令行参数。请把 {1} 设为这个地址。',
  '{} cannot become root': '{1} 无法取得 root 权限',
  '{} may log in, but not run commands': '{1} 可以登录，但不能运行命令',
  'connection lost; connecting again': '连接中断，正在重新连接',
  'sending the proxies': '正在发送代理节点',
  'sending {}': '发送 {1}',
  '{} is installed': '{1} 已安装',
  'the files of the bootstrap cannot be written': '无法写入引导程序的文件',
  'the server does not import the proxies': '服务器没有导入代理节点',
  'the bootstrap gave up: {}': '引导程序放弃了：{1}',
  'the first boot has failed': '首次启动失败',
  'the server is not a Debian or Ubuntu system': '服务器不是 Debian 或 Ubuntu 系统',
  'the server is set up for another release: {}': '服务器已用另一个版本部署：{1}',
  '{} is missing on the server': '服务器上没有 {1}',
  'Install it on the server: apt-get update && apt-get install {}':
    '在服务器上安装：apt-get update && apt-get install {1}',
  'this server does not meet the requirements': '这台服务器不满足要求',
  'the server is {}, the release is for {}': '服务器是 {1}，版本用于 {2}',
  'of an unknown architecture': '未知的架构',
  'the server is set up with another site': '服务器已用另一份站点配置部署',
  '{}: {} on the server, {} in site.yaml': '{1}：服务器上是 {2}，site.yaml 中是 {3}',
  '{} more fields differ': '还有 {1} 个字段不同',
  'the site cannot be written on the server': '无法在服务器上写入站点配置',
  'the first boot cannot be stopped': '无法停止首次启动',
  'the update needs {} on the server, but {} are free': '更新需要 {1} 的空间，服务器只剩 {2}',
  'the bundle cannot be written on the server': '无法在服务器上写入发布包',
  'the server does not install {}': '服务器没有安装 {1}',
  'the server did not install {}': '服务器没有安装 {1}',
  'the update cannot be started on the server': '无法在服务器上开始更新',

  'verified: {} {} for {}': '已验证：{1} {2}，用于 {3}',
  'starting the services; the first start takes a few minutes': '正在启动服务；第一次需要几分钟',
  '{} is healthy': '{1} 已就绪',
  'pulling {}': '下载 {1}',
  'running the smoke tests': '正在运行冒烟测试',
  'test failed: {}: {}': '测试失败：{1}：{2}',
  '{} of {} smoke tests passed': '{2} 项冒烟测试中有 {1} 项通过',
  'See the logs: docker compose --project-name {} logs --tail 50':
    '查看日志：docker compose --project-name {1} logs --tail 50',
  '--keep-data is given without --down': '--keep-data 要与 --down 一起用',
  'Add --down, or leave out --keep-data.': '加上 --down，或去掉 --keep-data。',
  'no bundle is given': '没有指定发布包',
  'Add the path of a bundle, for example dist/landfall-1.0.0-amd64.tar':
    '写上发布包的路径，例如 dist/landfall-1.0.0-amd64.tar',
  'the site is that of an engine node, which has no pages': '这是推理节点的站点配置，没有页面',
  'Preview the site of the first server.': '请预览第一台服务器的站点配置。',
  '--name is not a valid name': '--name 不是有效的名称',
  'Use up to 32 lower-case letters, digits and dashes.': '最多 32 个小写字母、数字和连字符。',
  '{} exited with code {}': '{1} 以退出码 {2} 结束',
  '{}: command not found': '没有命令 {1}',
  'Install {}, and try again.': '安装 {1}，再试一次。',
  'Docker Engine or Docker Desktop (https://docs.docker.com/get-started/get-docker/)':
    'Docker Engine 或 Docker Desktop（https://docs.docker.com/get-started/get-docker/）',
  'OpenSSL 3 or newer': 'OpenSSL 3 或更新的版本',
  'Docker runs on another computer': 'Docker 在另一台电脑上运行',
  'Select the Docker of this computer: run `docker context use default` and unset DOCKER_HOST.':
    '选择这台电脑的 Docker：运行 `docker context use default`，并取消 DOCKER_HOST。',
  "no permission for Docker's socket": '没有访问 Docker 套接字的权限',
  'Docker does not respond': 'Docker 没有响应',
  'Add yourself to the group docker (sudo usermod -aG docker $USER) and log in again, or use rootless Docker.':
    '把自己加入 docker 组（sudo usermod -aG docker $USER）并重新登录，或使用 rootless Docker。',
  'Start it: sudo systemctl start docker, or open Docker Desktop.':
    '启动它：sudo systemctl start docker，或打开 Docker Desktop。',
  'Docker Compose is not installed': '没有安装 Docker Compose',
  'Docker Compose {} is too old': 'Docker Compose {1} 过旧',
  'Install Docker Compose {} or newer: https://docs.docker.com/compose/install/':
    '安装 Docker Compose {1} 或更新的版本：https://docs.docker.com/compose/install/',
  'port {} is in use: {} has port {}': '端口 {1} 被占用：{2} 改用端口 {3}',
  'port {} is used by another program': '端口 {1} 被其他程序占用',
  'Stop the program (find it with `ss -ltnp sport = :{}`), or leave out --port to use a free one.':
    '停止占用端口的程序（用 `ss -ltnp sport = :{1}` 查找），或去掉 --port，使用空闲端口。',
  'the bundle does not have every component of the site': '发布包缺少站点需要的组件',
  'Build the bundle with these components, or turn them off in the site.':
    '构建含有这些组件的发布包，或在站点配置中停用它们。',
  '{} is missing: {}': '缺少 {1}：{2}',
  'a component of the preview did not start': '预览中有组件没有启动',
  'Docker Compose rejects the stack': 'Docker Compose 拒绝了这个 stack',
  'nothing was created': '没有创建任何内容',
  'preview {} is kept; run the command again, or remove it: {}':
    '预览 {1} 已保留；重新运行这条命令，或删除它：{2}',
  'removing preview {}; if this is interrupted too, run: {}':
    '正在删除预览 {1}；如果又被中断，请运行：{2}',
  'preview {} was removed': '预览 {1} 已删除',

  'verifying with three tools': '正在用三个工具验证',
  'rendering user-data for an example site': '正在为示例站点生成 user-data',
  '{}: the example names {}; a release gets {}, after `landfall lock`':
    '{1}：示例使用 {2}；正式的版本会用 {3}，在运行 `landfall lock` 之后',
  'signature and {} files': '签名和 {1} 个文件',
  'signature of release.json': 'release.json 的签名',
  '{} files, unpacked with tar': '{1} 个文件，用 tar 解包',
  'openssl is not installed': '没有安装 openssl',
  'sha256sum is not installed': '没有安装 sha256sum',
  'openssl rejects the signature of {}': 'openssl 认为 {1} 的签名无效',
  'sha256sum rejects the contents of {}': 'sha256sum 认为 {1} 的内容有误',
  'Build again. If it fails again, report a bug.': '请重新构建。如果仍然失败，请报告缺陷。',
  '{} in the bundle is missing or changed after its verification':
    '发布包中的 {1} 在验证之后缺失或改变',
  'Do not write to the bundle while the preview starts. Run the command again.':
    '预览启动时不要改写发布包。重新运行这条命令。',
  'the stack publishes ports on other addresses than 127.0.0.1':
    'stack 在 127.0.0.1 之外的地址开放了端口',
  'Change compose.yaml of the appliance, then build the bundle again.':
    '修改 compose.yaml，再重新构建发布包。',
  'the manifest of {} is not valid': '{1} 的清单无效',
  'Build the bundle again.': '重新构建发布包。',
  '/{} on the server is not valid JSON': '服务器上的 /{1} 不是有效的 JSON',
};
