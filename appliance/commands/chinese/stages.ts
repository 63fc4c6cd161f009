import type { ChineseRows } from '#contract/text/translated.ts';

/** The stages that set up the system: clock, kernel, accounts, SSH, firewall, Docker. */
export const stageRows: ChineseRows = {
  'Docker from a snap': 'snap 中的 Docker',
  'the clock cannot be set: {} instead of {}': '无法设置时钟：现在是 {1}，应为 {2}',
  'Set the clock with `date --set`, or enable NTP with `timedatectl set-ntp true`.':
    '用 `date --set` 设置时钟，或用 `timedatectl set-ntp true` 启用 NTP。',

  'system settings are not in effect': '系统设置没有生效',
  'apt setting missing: {}': '缺少 apt 设置：{1}',
  'Check for a later file in /etc/apt/apt.conf.d.': '检查 /etc/apt/apt.conf.d 中排在后面的文件。',
  '{} is not enabled at boot': '{1} 没有设为开机启动',
  'journald setting {} is {}, not {}': 'journald 设置 {1} 应为 {3}，现在：{2}',
  'not set': '未设置',
  'See: systemd-analyze cat-config systemd/journald.conf':
    '查看：systemd-analyze cat-config systemd/journald.conf',
  'core dumps are enabled for logins (limit {})': '登录会话启用了 core dump（上限 {1}）',
  'Check for a later file in /etc/security/limits.d.':
    '检查 /etc/security/limits.d 中排在后面的文件。',
  '/{} has permissions {}': '/{1} 的权限是 {2}',
  'the kernel can load {}': '内核可以加载 {1}',
  'See: modprobe --showconfig': '查看：modprobe --showconfig',
  'swap is not active': '交换空间没有启用',
  'Check the unit: sudo systemctl status {}': '检查单元：sudo systemctl status {1}',
  '{} is {}, not {}': '{1} 是 {2}，应为 {3}',
  'Check for other files that set it: systemd-analyze cat-config sysctl.d':
    '检查设置它的其他文件：systemd-analyze cat-config sysctl.d',
  'no time service is running': '没有运行时间服务',
  'the server does not have the time zone {}': '服务器没有时区 {1}',
  '/{} is not {}': '/{1} 不是 {2}',
  'Run `timedatectl set-timezone`.': '运行 `timedatectl set-timezone`。',

  'the administrator account does not work': '管理员账户不能正常使用',
  '{} cannot become root with sudo': '{1} 无法用 sudo 取得 root 权限',
  'Check for a later rule in /etc/sudoers.d with: sudo -l -U':
    '检查 /etc/sudoers.d 中排在后面的规则：sudo -l -U',
  '{} cannot log in: the account has expired or is locked': '{1} 无法登录：账户已过期或锁定',
  '{} is already used by {} of the system': '{1} 已被系统的{2}使用',
  'an account': '账户',
  'a group': '用户组',
  'cannot set the password of {}: it was rejected by PAM': '无法设置 {1} 的密码：PAM 拒绝了它',
  'Console of the server, user {}': '服务器控制台，用户 {1}',
  'No longer valid: it was changed on the server with passwd.':
    '已失效：在服务器上用 passwd 更改过。',

  'the SSH settings are not in effect': 'SSH 设置没有生效',
  '{} is {} for {}, not {}': '{3} 的 {1} 是 {2}，应为 {4}',
  'other settings in /etc/ssh override those of Landfall':
    '/etc/ssh 中的其他设置覆盖了 Landfall 的设置',
  'sshd offers {} these methods, not only publickey: {}':
    'sshd 允许 {1} 使用 publickey 以外的方式：{2}',
  'root has a password that is not locked': 'root 的密码没有锁定',
  '{} cannot log in with a key': '{1} 无法用密钥登录',
  '{} can log in with a key, but cannot become root with sudo':
    '{1} 可以用密钥登录，但无法用 sudo 取得 root 权限',
  'Fix the problems above, then run: sudo landfall first-boot. Logins with passwords and as root still work.':
    '解决上面的问题，再运行：sudo landfall first-boot。密码登录和 root 登录仍然可用。',
  'no SSH key of {} is accepted by sshd': 'sshd 不接受 {1} 的任何 SSH 密钥',
  'SSH listens on no port': 'SSH 没有监听端口',

  'the new firewall is not confirmed': '新的防火墙没有确认',
  'the loaded table does not match /{}': '已加载的规则表与 /{1} 不符',
  'UFW is not active': 'UFW 没有启用',
  'fail2ban is not protecting SSH and the gateway': 'fail2ban 没有保护 SSH 和网关',
  'fail2ban does not respond': 'fail2ban 没有响应',
  'fail2ban {} does not start with Python 3.12': 'fail2ban {1} 无法用 Python 3.12 启动',
  'Add noble-updates to the package sources, which has 1.0.2-3ubuntu0.1, and run `sudo apt-get install fail2ban`.':
    '在软件源中加入 noble-updates（有 1.0.2-3ubuntu0.1），再运行 `sudo apt-get install fail2ban`。',
  "the jail {} is not running with Landfall's action": 'jail {1} 没有使用 Landfall 的动作',
  'the firewall has no set {}': '防火墙没有集合 {1}',
  'Fix or remove the file. It lists addresses and ranges: {"ignore": ["203.0.113.7"]}':
    '修正或删除这个文件。它列出地址和网段：{"ignore": ["203.0.113.7"]}',
  '/{} is not valid': '/{1} 无效',
  'the firewall rules do not load on this system': '防火墙规则无法在这个系统上加载',
  'the uplink of this server is {}, a name reserved for container networks':
    '这台服务器的上行网卡是 {1}，这个名称保留给容器网络',
  'the firewall does not work as configured': '防火墙没有按配置工作',
  '{} does not load the firewall at boot': '{1} 没有在开机时加载防火墙',
  'a closed port is {} over IPv{}': '关闭的端口在 IPv{2} 上的状态是 {1}',
  'port {} is open in both firewalls, but {} over IPv{}':
    '端口 {1} 在两层防火墙中都已开放，但在 IPv{3} 上的状态是 {2}',
  'Look for the rule of another program: sudo nft list ruleset':
    '查找其他程序的规则：sudo nft list ruleset',
  'UFW closes the ports of the Swarm': 'UFW 关闭了 Swarm 的端口',
  'UFW opens the interface {}': 'UFW 开放了{1}的网卡',
  'UFW does not forward between the nodes of the Swarm': 'UFW 没有在 Swarm 的节点之间转发',
  'UFW forwards between nodes {}': 'UFW 在{1}的节点之间转发',
  'of a Swarm that this server does not have': '这台服务器没有加入的 Swarm ',

  'the release does not contain Docker Compose': '版本中没有 Docker Compose',
  'every address range for containers overlaps a route': '容器可用的网段都与路由重叠',
  'Docker is running with other settings': 'Docker 使用的是其他设置',
  'Docker Compose is not the version of the release': 'Docker Compose 不是这个版本指定的版本',
  'Docker rejected the settings': 'Docker 不接受这些设置',
  '/{} does not have the content that was written': '/{1} 的内容与写入的不同',
  'Check the disk, and whether another program changes the file.':
    '检查磁盘，以及是否有其他程序更改这个文件。',
  'the webhook at {} returned status {}': '{1} 的 webhook 返回状态 {2}',
};
