import type { Text } from '#contract/text/language.ts';

/** What keys of cloud-config do, of those that an attacker would add or that people add most often. */
const meanings: Readonly<Record<string, Text>> = {
  runcmd: { en: 'commands that root runs at the first boot', zh: '首次启动时由 root 运行的命令' },
  bootcmd: {
    en: 'commands that root runs at the beginning of every boot',
    zh: '每次启动时最先由 root 运行的命令',
  },
  write_files: { en: 'files that root writes', zh: '由 root 写入的文件' },
  users: { en: 'accounts of the server', zh: '服务器的账号' },
  user: { en: 'the account of the image', zh: '镜像自带的账号' },
  system_info: { en: 'the account of the image', zh: '镜像自带的账号' },
  groups: { en: 'groups of accounts', zh: '账号的组' },
  ssh_authorized_keys: {
    en: 'SSH keys that may log in before the first boot is over',
    zh: '首次启动完成之前就可以登录的 SSH 密钥',
  },
  ssh_import_id: {
    en: 'SSH keys that are downloaded and may log in',
    zh: '下载后可以登录的 SSH 密钥',
  },
  ssh_keys: {
    en: 'host keys of the server, which the author then knows',
    zh: '服务器的主机密钥；作者因此知道它们',
  },
  ssh_pwauth: { en: 'SSH logins with passwords', zh: '用密码登录 SSH' },
  disable_root: { en: 'SSH logins as root', zh: '以 root 登录 SSH' },
  password: { en: 'a password of an account', zh: '账号的密码' },
  chpasswd: { en: 'passwords of accounts', zh: '账号的密码' },
  packages: { en: 'packages that are installed', zh: '要安装的软件包' },
  package_update: { en: 'a refresh of the package lists', zh: '刷新软件包列表' },
  package_upgrade: { en: 'upgrades of all packages', zh: '升级全部软件包' },
  apt: { en: 'package sources and their keys', zh: '软件源及其密钥' },
  apt_sources: { en: 'package sources and their keys', zh: '软件源及其密钥' },
  snap: { en: 'snap packages and commands', zh: 'snap 软件包和命令' },
  ca_certs: {
    en: 'certificate authorities that the server trusts',
    zh: '服务器信任的证书颁发机构',
  },
  'ca-certs': {
    en: 'certificate authorities that the server trusts',
    zh: '服务器信任的证书颁发机构',
  },
  phone_home: {
    en: 'a URL that receives facts about the server',
    zh: '接收服务器信息的地址',
  },
  power_state: { en: 'a shutdown or a reboot', zh: '关机或重启' },
  mounts: { en: 'file systems that are mounted', zh: '要挂载的文件系统' },
  fs_setup: { en: 'disks that are formatted', zh: '要格式化的磁盘' },
  disk_setup: { en: 'disks that are partitioned', zh: '要分区的磁盘' },
  swap: { en: 'swap space', zh: '交换空间' },
  hostname: { en: 'the name of the server', zh: '主机名' },
  fqdn: { en: 'the name of the server', zh: '主机名' },
  locale: { en: 'the language of programs', zh: '程序的语言' },
  timezone: { en: 'the time zone', zh: '时区' },
  ntp: { en: 'time servers', zh: '时间服务器' },
  resolv_conf: { en: 'DNS servers', zh: 'DNS 服务器' },
  rsyslog: { en: 'hosts that receive the logs', zh: '接收日志的主机' },
  wireguard: { en: 'a VPN', zh: 'VPN' },
  merge_how: {
    en: 'how settings replace those of the provider',
    zh: '怎样与云服务商的设置合并',
  },
  merge_type: {
    en: 'how settings replace those of the provider',
    zh: '怎样与云服务商的设置合并',
  },
  cloud_init_modules: { en: 'what cloud-init runs', zh: 'cloud-init 运行哪些模块' },
  cloud_config_modules: { en: 'what cloud-init runs', zh: 'cloud-init 运行哪些模块' },
  cloud_final_modules: { en: 'what cloud-init runs', zh: 'cloud-init 运行哪些模块' },
  datasource: { en: 'where cloud-init reads from', zh: 'cloud-init 从哪里读取' },
  autoinstall: { en: 'an installation of the system', zh: '系统的安装' },
  ansible: { en: 'Ansible playbooks', zh: 'Ansible playbook' },
  chef: { en: 'a Chef server that controls the server', zh: '控制服务器的 Chef' },
  puppet: { en: 'a Puppet server that controls the server', zh: '控制服务器的 Puppet' },
  salt_minion: { en: 'a Salt master that controls the server', zh: '控制服务器的 Salt' },
  mcollective: { en: 'a program that controls the server', zh: '控制服务器的程序' },
  landscape: { en: 'a service that controls the server', zh: '控制服务器的服务' },
};

const other: Text = { en: 'a setting of cloud-init', zh: 'cloud-init 的设置' };

/** Returns what a key of cloud-config does. */
export function meaningOfKey(name: string): Text {
  return (Object.hasOwn(meanings, name) && meanings[name]) || other;
}
