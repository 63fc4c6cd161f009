import type { ChineseRows } from '#contract/text/translated.ts';

/** What the server runs and reads: programs, packages, downloads, Docker, Ollama and state files. */
export const hostRows: ChineseRows = {
  '{} timed out after {}': '{1} 超过 {2} 没有结束',
  '{} was terminated by {}': '{1} 被 {2} 终止',
  '{} exited with code {}': '{1} 以退出码 {2} 结束',
  '{}: command not found on this server': '服务器上没有命令 {1}',
  '{} cannot be started: {}': '无法启动 {1}：{2}',
  'landfall must be run as root': 'landfall 需要 root 权限',
  '{} is already running on this server': '这台服务器上已在运行：{1}',
  'an update': '更新',
  'no package source has {}': '软件源中没有 {1}',
  'Enable the component universe with `sudo add-apt-repository universe`, or set mirrors.apt in the site to an archive that has it.':
    '用 `sudo add-apt-repository universe` 启用 universe，或把站点的 mirrors.apt 设为有它的软件源。',
  'Add the component main of the archive to the package sources, or set mirrors.apt in the site.':
    '在软件源中加入 main，或设置站点的 mirrors.apt。',
  'installing system packages failed': '安装系统软件包失败',
  'Run `sudo apt-get update` on the server; if the archive is unreachable, set mirrors.apt or route in the site.':
    '在服务器上运行 `sudo apt-get update`；软件源不可访问时，设置站点的 mirrors.apt 或 route。',
  'the account {} does not exist on this server': '这台服务器上没有账户 {1}',
  '/{} is damaged': '/{1} 已损坏',
  'Report this bug with the file. The release that /opt/landfall/current names is the one that runs.':
    '请附上这个文件报告缺陷。正在运行的是 /opt/landfall/current 指向的版本。',
  'Move it away and create /{} again.': '移走它，重新创建 /{1}。',
  '/{} contains no release key': '/{1} 中没有发布密钥',
  'an earlier change of the firewall': '上一次防火墙更改',
  'the capture of connections': '接管连接的更改',
  'a change': '更改',
  'SSH port {} is {} from outside over IPv{}': '从外部看，SSH 端口 {1} 在 IPv{3} 上的状态是 {2}',

  'fetching {}': '下载 {1}',
  'reading {}': '读取 {1}',
  'pulling {}': '下载 {1}',
  '{} sent more than the expected {} bytes': '{1} 返回的内容超过预期的 {2} 字节',
  '{} closed the connection early': '{1} 提前关闭了连接',
  '{} serves a file with a wrong SHA-256': '{1} 上文件的 SHA-256 不符',
  'Use another mirror.': '换一个镜像源。',
  '{} sends less than {}': '{1} 的速度低于 {2}',
  'Set a closer mirror or another route in the site.': '在站点中设置更近的镜像源，或换一条线路。',
  '{} has only {} bytes': '{1} 只有 {2} 字节',

  '{} returned {}': '{1} 返回了{2}',
  'an unexpected line': '意外的内容',
  'a line that is too long': '过长的一行',
  'a line that is not JSON': '不是 JSON 的内容',
  'a response that is too large': '过大的响应',
  'an invalid list of models': '无效的模型列表',
  '{} does not respond': '{1} 没有响应',
  'Check the logs: sudo journalctl --unit docker --lines 50':
    '查看日志：sudo journalctl --unit docker --lines 50',
  'Check the logs: sudo docker logs --tail 50 landfall-engine':
    '查看日志：sudo docker logs --tail 50 landfall-engine',
  'Ollama rejected the request: {}': 'Ollama 拒绝了请求：{1}',
  "Ollama's volume does not exist yet": 'Ollama 的数据卷还不存在',
  'the disk is full': '磁盘已满',
};
