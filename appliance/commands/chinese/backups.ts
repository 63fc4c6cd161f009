import type { ChineseRows } from '#contract/text/translated.ts';

/** Backups and their restore. */
export const backupRows: ChineseRows = {
  '{} targets failed': '{1} 个备份位置失败',
  'the password is wrong': '密码不正确',
  'the first boot does not wait for a backup yet': '首次启动还没有开始等待备份',
  'the first boot of this server has not completed': '这台服务器的首次启动还没有完成',
  'this command asks for passwords': '这条命令会要求输入密码',

  '{} did not respond in time': '{1} 没有及时响应',
  'Check the network and the target, then run `sudo landfall backup run`.':
    '检查网络和备份位置，再运行 `sudo landfall backup run`。',
  '{} has another password': '{1} 的密码不同',
  'It belongs to another server. Use another folder.': '它属于另一台服务器。请换一个文件夹。',
  '{} has another host key than before': '{1} 的主机密钥与以前不同',
  'Ask who runs it. If the change is right, run `sudo landfall backup init` again.':
    '询问它的管理者。确实更换过密钥时，请再次运行 `sudo landfall backup init`。',
  '{} refuses to delete old backups': '{1} 不允许删除旧备份',
  'Set `keep: never` in `backup` of the site, and remove old backups from your computer: backup.md of the documentation.':
    '在站点的 `backup` 中设置 `keep: never`，并从您的电脑上删除旧备份：见 Landfall 文档 backup.md。',
  '{} is locked': '{1} 已锁定',
  'If no other program uses it, the target refuses to delete locks: backup.md of the documentation.':
    '如果没有其他程序在使用它，就是备份位置不允许删除锁：见 Landfall 文档 backup.md。',
  '{} has no such bucket': '{1} 没有这个存储桶',
  'Create the bucket in the console of the cloud, then run `sudo landfall backup init`.':
    '在云服务商的控制台创建存储桶，再运行 `sudo landfall backup init`。',
  '{} refuses requests with the bucket in the path': '{1} 不接受路径中含存储桶的请求',
  'Set `virtual_host: true` and `region` for it in `backup` of the site.':
    '在站点的 `backup` 中为它设置 `virtual_host: true` 和 `region`。',
  '{} is in another region': '{1} 在另一个区域',
  'Set `region` for it in `backup` of the site.': '在站点的 `backup` 中为它设置 `region`。',
  '{} rejects the login of this server': '{1} 拒绝了这台服务器的登录',
  'Run `sudo landfall backup init`: it shows the key of this server for SFTP. For S3, set both secrets again with `sudo landfall secret set`.':
    'SFTP：运行 `sudo landfall backup init`，它会显示这台服务器的公钥。S3：用 `sudo landfall secret set` 重新设置两项机密。',
  '{} shows a certificate that this server does not trust': '{1} 的证书不受这台服务器信任',
  'Add its authority to `ca` in the site. Otherwise the connection may be intercepted.':
    '把它的颁发机构加入站点的 `ca`；否则连接可能被拦截。',
  '{} cannot be reached through the proxy of the route': '无法通过线路的代理连接 {1}',
  'Check the proxy with `sudo landfall route test`: it must allow connections to this port.':
    '用 `sudo landfall route test` 检查代理：它必须允许连接这个端口。',
  '{} cannot be reached': '无法连接 {1}',
  'Check the address and the network, then run `sudo landfall backup run`.':
    '检查地址和网络，再运行 `sudo landfall backup run`。',
  '{} has no backups of this server': '{1} 没有这台服务器的备份',
  'Check the path, and that a disk is mounted. To begin again, run `sudo landfall backup init`.':
    '检查路径，以及磁盘是否已挂载。要重新开始，请运行 `sudo landfall backup init`。',
  '{} is full': '{1} 已满',
  'Free some space there, or keep fewer backups: `backup.keep` in the site.':
    '在那里释放空间，或减少保留的备份：站点的 `backup.keep`。',
  '{} has lost or damaged data: some files could not be restored':
    '{1} 的数据丢失或损坏：部分文件无法恢复',
  '{} is damaged': '{1} 已损坏',
  'See backup.md of the documentation, "A damaged repository". The other targets are not affected.':
    '见 Landfall 文档 backup.md 的“仓库损坏时”。其他备份位置不受影响。',
  'restic failed at {}': 'restic 在 {1} 失败',
  'restic failed {} times': 'restic 失败了 {1} 次',
  'restic printed no list of {} at {}': 'restic 没有列出 {2} 的{1}',
  'the keys': '密钥',
  'the backups': '备份',
  'restic printed no summary for {}': 'restic 没有给出 {1} 的摘要',
  'the earlier password stays valid everywhere': '旧密码在所有位置仍然有效',
  'the earlier password may still be valid there': '旧密码在那里可能仍然有效',
  '{} did not store the key': '{1} 没有保存密钥',
  '{} kept the old key': '{1} 保留了旧密钥',
  '{} has no bucket': '{1} 没有存储桶',
  'the secret {} is not set': '没有设置机密 {1}',
  '{} does not respond as an SSH server': '{1} 没有作为 SSH 服务器响应',
  'the chat UI could not be paused for the copy': '无法为复制数据暂停聊天界面',
  'the files of the backup would fill the disk': '备份的文件会占满磁盘',
  'a restore test needs {}, and {} must stay free, but {} are free':
    '恢复测试需要 {1}，还要留出 {2}，但只剩 {3}',
  '{} has backups of another server: {}, of {}': '{1} 有另一台服务器的备份：{2}，{3}',
  'the earlier server {} made a backup at {} {} ago': '旧服务器 {1} 在 {3} 前备份到了 {2}',
  'the backup {} is not in the list any more': '备份 {1} 已不在列表中',
  'it has no backup': '没有备份',
  'restic printed no size of the backup {}': 'restic 没有给出备份 {1} 的大小',
  '{} files of the backup {} are missing': '备份 {2} 缺少 {1} 个文件',
  'the backup {} has no manifest': '备份 {1} 没有清单',
  'the backup {} is not whole: {}': '备份 {1} 不完整：{2}',
  'its manifest says {} {}, but the data has {}': '清单中{1}是 {2}，数据中是 {3}',
  revision: '数据库版本',
  'the restored databases cannot be opened': '无法打开恢复的数据库',
  'Run `sudo landfall backup run`, then `sudo landfall backup test` again.':
    '运行 `sudo landfall backup run`，再运行 `sudo landfall backup test`。',
  'the restore test of {} failed: {}': '{1} 的恢复测试失败：{2}',

  'its size cannot be read': '无法读取大小',
  '{} has {} backups {}…': '{1} 有 {2} 个备份以 {3} 开头',
  '{} has no backup {}': '{1} 没有备份 {2}',
  'all backups at {} are dated in the future': '{1} 的备份的时间都在未来',
  'there are no backups at {}': '{1} 没有备份',
  'its manifest is missing or damaged': '清单缺失或损坏',
  'its manifest is invalid': '清单无效',
  'the backup {} at {} cannot be used: {}': '{2} 的备份 {1} 无法使用：{3}',
  'the backup {} is of release {}, which is newer than {}': '备份 {1} 的版本 {2} 比 {3} 新',
  'the backup {} is of release {}, whose data {} cannot read':
    '备份 {1} 的版本是 {2}，{3} 无法读取它的数据',
  'Install release {} or a later one{}.': '安装 {1} 或更新的版本{2}。',
  'Set up a server with release {}, restore there, and update it{}.':
    '用版本 {1} 部署一台服务器，在那里恢复，再更新{2}。',
  'the restore needs {} (the backup has {}), but {} are free': '恢复需要 {1}（备份 {2}），只剩 {3}',
  '{} is not what a backup has': '备份中不应有 {1}',
  'the disk of this server became full during the restore': '恢复时服务器的磁盘已满',

  'the database {} of the chat UI is damaged': '聊天界面的数据库 {1} 已损坏',
  'the backup has no data of the chat UI': '备份中没有聊天界面的数据',
  'the task {} on {} failed': '{2} 上的任务 {1} 失败',
  'Docker names no folder of the volume {}': 'Docker 没有给出数据卷 {1} 的文件夹',
  "Landfall updates servers whose volumes are in Docker's own folder.":
    'Landfall 只能更新数据卷在 Docker 自己文件夹中的服务器。',
  'Docker does not describe the volume {}': 'Docker 没有给出数据卷 {1} 的信息',
  'Read the log of Docker: `sudo journalctl --unit docker`.':
    '查看 Docker 的日志：`sudo journalctl --unit docker`。',
  'the copy of the chats is damaged': '对话的副本已损坏',
  'Check the disk with `sudo journalctl --dmesg`. The damaged copy is kept.':
    '用 `sudo journalctl --dmesg` 检查磁盘。损坏的副本会保留。',
  '{} differs': '{1} 不同',
};
