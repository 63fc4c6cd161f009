import type { ChineseRows } from '#contract/text/translated.ts';

/** The help of the commands. */
export const helpRows: ChineseRows = {
  'Every day': '日常',
  'People and keys': '用户和密钥',
  'Several servers': '多台服务器',
  'Set up and repair': '部署和修复',
  'Manages a server that Landfall has set up.': '管理 Landfall 部署的服务器。',

  'show the state of this server, also as an exit code': '显示服务器的状态，退出码也表示状态',
  'follow a first boot until it ends': '持续显示首次启动的进度，直到结束',
  'print the state as JSON': '用 JSON 输出状态',
  'show the state in five lines; the same as landfall without arguments':
    '用五行显示状态；与不带参数的 landfall 相同',
  'list all commands': '列出所有命令',
  'show URLs, fingerprints, models and next steps': '显示网址、指纹、模型和下一步',
  'also show the durations of the stages': '同时显示各阶段的用时',
  'show the logs of components and units, merged by time': '显示组件和单元的日志，按时间合并',
  'such as ui or route; default: all': '例如 ui 或 route；默认：全部',
  'show new lines until Ctrl-C': '持续显示新的日志，直到按 Ctrl-C',
  'show lines since: 30m, 1h, 2d, today, yesterday':
    '只显示从这时起的日志：30m、1h、2d、today、yesterday',
  'show lines with this text, in any case': '只显示包含这段文字的行，不分大小写',
  'show the last lines only': '只显示最后的若干行',
  'print one JSON object per line': '每行输出一个 JSON 对象',
  'restart a component, or all, and wait until they are healthy':
    '重启一个或全部组件，并等待恢复正常',
  'stop a component until it is started': '停止一个组件，直到再次启动',
  'start a component, or all, and wait until they are healthy':
    '启动一个或全部组件，并等待恢复正常',
  'such as ui; default: all': '例如 ui；默认：全部',
  'such as chat': '例如 chat',
  'such as chat; default: all': '例如 chat；默认：全部',
  'do not ask': '不询问',
  'do not ask for confirmation': '不要求确认',

  'show and change the site of this server': '显示和更改这台服务器的站点配置',
  'show the site, or one field of it (default)': '显示站点配置或其中一个字段（默认）',
  'such as hosts.ui': '例如 hosts.ui',
  'show what another site would change; changes nothing':
    '显示另一份站点配置会带来哪些更改；不作更改',
  'change the site, and go back automatically if the server does not work with it':
    '更改站点配置；如果服务器因此不能正常工作，会自动回滚',
  'edit the site in $EDITOR, and apply it': '在 $EDITOR 中编辑站点配置并应用',
  'go back to the site before the last change': '撤销站点配置的上一次更改',
  'print the fields of site.yaml: values, defaults, meanings, what a change does':
    '列出 site.yaml 的字段：取值、默认值、含义、更改的影响',
  'a site.yaml, or - for standard input; default: /etc/landfall/site.yaml':
    'site.yaml，或 - 表示标准输入；默认：/etc/landfall/site.yaml',
  'change fields: hosts.ui chat.example.com': '更改字段：hosts.ui chat.example.com',
  'add an entry to a list: firewall.allow 8443/tcp': '在列表中添加一项：firewall.allow 8443/tcp',
  'remove an entry of a list, or a field': '删除列表中的一项，或一个字段',
  'with all below it, such as tls': '连同下级字段，例如 tls',
  'show the last ten changes of the site': '显示站点配置最近十次更改',
  'as in site.yaml; `set` takes further fields and values':
    '与 site.yaml 中的写法相同；`set` 后面可以有多个字段和值',
  'install newer releases, and go back': '安装新版本，回滚到旧版本',
  'install the next release, and go back automatically if it does not work (default)':
    '安装下一个版本；如果不能正常工作，会自动回滚（默认）',
  'version, file or URL of a bundle; default: the next release':
    '发布包的版本号、文件或网址；默认：下一个版本',
  'show what would happen; change nothing': '只显示将要进行的操作，不作更改',
  'try a release again that was rolled back': '再试一次已回滚的版本',
  'go on without a way back if there is no space for one':
    '如果没有空间保存回滚所需的数据，仍然继续',
  'go back if the new release is not ready after this time': '新版本超过这么多秒仍未就绪时回滚',
  'show the last check, and the update in progress': '显示最近一次检查，以及正在进行的更新',
  'look for a newer release; exits with 14 if there is one': '查看有没有新版本；有时退出码为 14',
  'download the next release, to install it later': '下载下一个版本，以后再安装',
  'delete a downloaded release': '删除已下载的版本',
  'go back to the release before this one': '回滚到上一个版本',
  'also go back to the chats of before the update': '对话也恢复到更新之前',
  'continue a rollback that is stuck': '继续卡住的回滚',
  'give up the copy of the chats, if it is damaged': '对话的副本已损坏时，放弃它',
  'show the updates of this server': '显示这台服务器的更新记录',

  "Ollama's models: list, download and delete them; which ones fit":
    'Ollama 的模型：列出、下载和删除；哪些放得下',
  'show the models of this server (default)': '显示这台服务器的模型（默认）',
  'download a model': '下载模型',
  'such as qwen3:8b': '例如 qwen3:8b',
  'download it from this mirror': '从这个镜像源下载',
  'delete a model': '删除模型',
  'show and test the targets of alerts': '显示和测试告警的接收方',
  'show the targets, and the secrets that are missing (default)':
    '显示接收方，以及缺少的机密（默认）',
  'print them as JSON': '用 JSON 输出',
  'send a test message to every target; exits with 11 if one fails':
    '向每个接收方发送测试消息；有失败时退出码为 11',

  'make backups of chats, documents and settings': '备份对话、文档和设置',
  'show the last backup at each target (default)': '显示每个备份位置最近的备份（默认）',
  'create the repositories and the password': '创建备份仓库和密码',
  'make a backup now': '立即备份',
  'continue the backups of the earlier server, which is stopped for good':
    '接着旧服务器的备份继续；旧服务器已永久停用',
  'show the backups at each target': '显示每个备份位置的备份',
  'verify the structure and 2 % of the data at each target': '验证每个备份位置的结构和 2% 的数据',
  'restore the last backup of each target into a scratch folder, and check it':
    '把每个备份位置最近的备份恢复到临时文件夹并检查',
  'show or replace the password of the backups': '显示或更换备份的密码',
  'show the password again, in groups and as a QR code (default)':
    '再次显示密码：分组显示，并生成二维码（默认）',
  'replace the password at each target': '更换每个备份位置的密码',
  'bring a backup back, to this server or to a new one': '把备份恢复到这台或新的服务器',
  'ID of the backup; default: the newest one': '备份的 ID；默认：最新的备份',
  'the target in the site, from 1; default: the first one':
    '站点中的第几个备份位置，从 1 起；默认：第一个',
  'go back to the chats of before the last restore': '恢复到上一次恢复之前的对话',
  'write all chats and documents into a new folder': '把所有对话和文档写入新的文件夹',
  'a folder that does not exist or is empty': '不存在的或空的文件夹',
  'print the summary as JSON': '用 JSON 输出摘要',

  'show the passwords and keys that were generated here': '显示在这台服务器上生成的密码和密钥',
  'print them as JSON, also to a file or a pipe': '用 JSON 输出，也可以输出到文件或管道',
  'set, list and replace secrets, such as provider keys and access codes':
    '设置、列出和更换机密，例如模型服务商密钥和访问码',
  'ask for the value of a secret and store it': '输入并保存一项机密',
  'show which secrets are set, how old they are, and who uses them; no values':
    '显示已设置的机密、设置的时间和用途；不显示内容',
  'replace generated secrets; only the components that read them restart':
    '更换自动生成的机密；只重启读取它们的组件',
  'the secrets; see `landfall secret list`': '机密的名称；见 `landfall secret list`',
  'all generated secrets in use, without WEBUI_SECRET_KEY':
    '所有在用的自动生成的机密，WEBUI_SECRET_KEY 除外',
  'list and add accounts of the chat UI, and set a lost password':
    '列出和添加聊天界面的账户，重设丢失的密码',
  'list the accounts of the chat UI, or add one': '列出或添加聊天界面的账户',
  'list the accounts of the chat UI (default)': '列出聊天界面的账户（默认）',
  'add an account, and print its password once': '添加账户；密码只显示一次',
  'what the user signs in with': '登录时使用的邮箱',
  'shown in the chat; default: the email address up to the @':
    '在聊天界面中显示的名称；默认：邮箱 @ 之前的部分',
  'what the account may do': '账户的权限',
  'ask for the password instead of generating one': '输入密码，不自动生成',
  'set a new password for an account that has lost it': '为丢失密码的账户重设密码',
  'the account; default: the oldest administrator': '账户；默认：最早的管理员',
  'connect clients; show what relay keys have used; change keys':
    '接入客户端；显示中继密钥的用量；管理密钥',
  'show what relay keys with a budget have used, and what is left':
    '显示带预算的中继密钥的用量和余量',
  'show one key only': '只显示一个密钥',
  'sum this many days, today included: 7d': '合计若干天，包括今天：7d',
  'print it as CSV': '用 CSV 输出',
  'add, replace and remove relay keys': '添加、更换和删除中继密钥',
  'add a relay key to the site, apply the site, and print the key once':
    '在站点中添加中继密钥并应用；密钥只显示一次',
  'device or user': '设备或用户的名称',
  'tokens of prompts and answers per day': '每天的提示和回答的 token 数',
  'tokens per calendar month': '每个自然月的 token 数',
  'requests to models per day': '每天的模型请求数',
  'models that it may use, or prefixes such as text-embedding-*':
    '可以使用的模型，或 text-embedding-* 这样的前缀',
  'last day on which it is valid: 2027-03-31': '有效期的最后一天：2027-03-31',
  'replace a relay key, and print the new one once': '更换中继密钥；新密钥只显示一次',
  'remove a relay key from the site, and apply the site': '从站点中删除中继密钥并应用',

  'show and check the route of this server, and turn it off and on':
    '显示和检查这台服务器的线路，停用和启用线路',
  'show the route, without passwords (default)': '显示线路，不含密码（默认）',
  'apply the route of the site': '应用站点的线路',
  'undo the route on this server; the site keeps it': '在这台服务器上停用线路；站点配置不变',
  'send all TCP connections of chosen users through the proxy of the site':
    '让指定用户的所有 TCP 连接经过站点的代理',
  'the user; replaces the users of earlier calls (repeatable)':
    '用户；取代之前指定的用户（可重复）',
  'stop the redirection and remove its rules': '停止转发并删除规则',
  'install proxychains4 with the proxy of the site': '安装 proxychains4，并使用站点的代理',
  'remove its settings': '删除它的设置',
  'check every destination of the route; exits with 11 if one fails':
    '检查线路的每个目的地；有失败时退出码为 11',
  'show, open and close ports, in UFW and for containers': '在 UFW 和容器中显示、开放和关闭端口',
  'show which ports are open (default)': '显示开放的端口（默认）',
  'the route of the site': '站点的线路',
  'that of the site, else Hugging Face': '站点中的，否则 Hugging Face',
  'open a port': '开放端口',
  'such as 8443/tcp': '例如 8443/tcp',
  'close a port that was opened': '关闭之前开放的端口',
  'the opened port, such as 8443/tcp': '之前开放的端口，例如 8443/tcp',
  'apply the settings to both firewalls': '把设置应用到两层防火墙',
  'devices that reach the chat through WireGuard: add, show and remove them':
    '通过 WireGuard 访问聊天的设备：添加、显示和移除',
  'show each device: address, source, last connection (default)':
    '显示每台设备：地址、来源、上次连接（默认）',
  'make a configuration for a device, and show it once': '为设备生成配置，只显示一次',
  'a new name, such as phone': '新名称，例如 phone',
  'end the access of a device for good': '永久取消一台设备的访问',
  'such as phone': '例如 phone',
  'confirm a pending change; run it in a new login': '确认等待中的更改；请在新的登录中运行',
  'show and renew the certificate': '显示和续期证书',
  'show the certificate (default)': '显示证书（默认）',
  'print its details as JSON': '用 JSON 输出详情',
  'renew the certificate if it is due': '证书到期前续期',
  'renew it now': '立即续期',
  'used by the timer': '由定时器使用',

  'several servers with Ollama behind HAProxy: show, drain and test them':
    'HAProxy 后面的多台 Ollama 服务器：显示、停止分配和测试',
  'show the state of each server with Ollama (default)': '显示每台 Ollama 服务器的状态（默认）',
  'such as gpu1': '例如 gpu1',
  'print what the site of a node needs; on a node, what the first server needs':
    '显示节点的站点需要哪些内容；在节点上则显示第一台服务器需要哪些内容',
  'give a server no new requests, and wait until it is idle':
    '不再向服务器分配新请求，并等待它空闲',
  'give a drained server requests again': '恢复向服务器分配请求',
  'test a server: certificate, models, one generation': '测试服务器：证书、模型、一次生成',
  'nodes of a Docker Swarm: let a server join, show, drain and remove it':
    'Docker Swarm 的节点：加入、显示、停止分配和移除',
  'show each node: connection, Ollama, Docker (default)':
    '显示每个节点：连接、Ollama、Docker（默认）',
  'give a node no new requests, wait until it is idle, and stop its Ollama':
    '不再向节点分配新请求，等待它空闲，然后停止它的 Ollama',
  'start Ollama on a drained node again': '再次启动节点的 Ollama',
  'take a node out of the Swarm for good': '从 Swarm 中永久移除节点',
  'make a token with which one server can join, on the first server':
    '在第一台服务器上生成令牌，供一台服务器加入',
  'a new name, such as gpu1': '新的名称，例如 gpu1',
  'do not ask, also if the node has joined': '不询问，即使节点已经加入',
  'make this engine node join; asks for the token': '让这台推理节点加入；会要求输入令牌',
  'make this engine node leave the Swarm': '让这台推理节点离开 Swarm',
  'print what runs on the nodes of a Swarm': '显示 Swarm 的节点上运行的内容',
  'print the stack file of the Swarm, as the first server deploys it':
    '输出 Swarm 的 stack 文件，与第一台服务器部署的相同',
  'that of the Swarm; required, because `landfall plan` shows the other files':
    'Swarm 的文件；必须指定，其他文件由 `landfall plan` 显示',

  'find known faults of this server, with the remedy for each': '查找这台服务器的已知故障和对策',
  'apply the fixes that are safe; asks for each': '进行安全的修复；逐项询问',
  'with --fix: do not ask': '与 --fix 一起用：不询问',
  'print the remedies for what you see': '显示某种现象的对策',
  'print the findings, or the symptom, as JSON': '用 JSON 输出发现的问题或现象',
  'run the end-to-end tests on this server': '在这台服务器上运行端到端测试',
  'show what a first boot would do; changes nothing': '显示首次启动会进行的操作；不作更改',
  'print the plan as JSON': '用 JSON 输出计划',
  'absolute path of the page': '页面的绝对路径',
  'set up this server, or what is missing': '部署这台服务器，或补上缺少的部分',
  'remove Landfall from this server; keeps the chats and models unless told otherwise':
    '从这台服务器上卸载 Landfall；默认保留对话和模型',
  'also delete chats, documents, models, keys and secrets': '同时删除对话、文档、模型、密钥和机密',
  'do not ask; not enough for --delete-data': '不询问；对 --delete-data 不够',
};
