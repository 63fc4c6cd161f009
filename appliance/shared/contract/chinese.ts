import type { ChineseRows } from './text/translated.ts';

/** Bundles, the keys that sign them, and update channels: why a document was refused. */
export const contractRows: ChineseRows = {
  'expected a public key, found a private key': '需要公钥，但这是私钥',
  'Use the .pub file next to it, and do not share the private key.':
    '使用旁边的 .pub 文件；不要泄露私钥。',
  'not a public key in PEM format': '不是 PEM 格式的公钥',
  'Use the .pub file that `landfall keygen` wrote.': '使用 `landfall keygen` 生成的 .pub 文件。',
  'the key is {}, not ECDSA on P-256': '密钥是 {1}，不是 P-256 的 ECDSA',
  'Create a key with `landfall keygen`; every openssl since 1.1 supports P-256.':
    '用 `landfall keygen` 生成密钥；openssl 1.1 以后的版本都支持 P-256。',
  'of an unknown kind': '未知的类型',

  'the bundle is truncated: {} bytes are missing after byte {}':
    '发布包不完整：第 {2} 字节之后缺少 {1} 字节',
  'expected {} in the bundle, found {}': '发布包中应为 {1}，实际是 {2}',
  'the end of the archive': '文件末尾',
  'the size or mode of {} differs from release.json': '{1} 的大小或权限与 release.json 不同',
  '{} is in the bundle but not in release.json': '{1} 在发布包中，但不在 release.json 中',
  'the SHA-256 of {} differs from release.json': '{1} 的 SHA-256 与 release.json 不同',
  '{} has {} bytes, the maximum is {}': '{1} 有 {2} 字节，最多 {3} 字节',
  '{} must not be executable': '{1} 不能是可执行文件',
  'the time of {} differs from the other members': '{1} 的时间与其他文件不同',
  'the time of the members differs from the creation time of the release':
    '文件的时间与版本的创建时间不同',
  'the tar header at byte {} is not canonical': '第 {1} 字节处的 tar 头不规范',
  'the padding after {} is not zero': '{1} 之后的填充不为零',
  '{} does not fit into a tar header': '{1} 无法写入 tar 头',
  'Use a plain path of at most 100 characters, and a time between 1970 and 2242.':
    '使用最多 100 个字符的普通路径，以及 1970 到 2242 年之间的时间。',
  '{} does not contain the signature of release.json': '{1} 没有 release.json 的签名',
  '{} differs from release.json': '{1} 与 release.json 不同',
  '{} does not refer to this release': '{1} 不属于这个版本',
  'the bundle has trailing data': '发布包末尾有多余的数据',
  '{} is missing': '缺少 {1}',
  'release.json has a wrong offset for {}': 'release.json 中 {1} 的位置有误',
  '{} conflicts with another path in release.json': '{1} 与 release.json 中的另一个路径冲突',
  '{} is not named by its SHA-256': '{1} 的文件名不是它的 SHA-256',
  'the bundle is full, but does not contain the model {}': '这是完整发布包，但不含模型 {1}',
  'the bundle contains model files, but release.json lists no model':
    '发布包中有模型文件，但 release.json 没有列出模型',

  'release.json does not match the pinned digest': 'release.json 与指定的摘要不符',
  'the signature is {} bytes long': '签名有 {1} 字节',
  'no trusted key signed release.json (trusted: {})':
    'release.json 不是由受信任的密钥签名（受信任：{1}）',
  'the release is of {}, not {}': '这是 {1} 的版本，不是 {2} 的',
  'the release is for {}, but this machine is {}': '版本用于 {1}，但这台机器是 {2}',
  'the release expired on {}': '版本已于 {1} 过期',
  'the release {} is older than the installed {}': '版本 {1} 比已安装的 {2} 旧',
  '{} requires {} or later, but {} is installed': '{1} 需要先安装 {2} 或更新的版本，现在是 {3}',
  'the release changes the trusted keys, but is not signed by the recovery key':
    '这个版本更换了受信任的密钥，但不是由恢复密钥签名',
  'invalid installed version "{}"': '已安装的版本号“{1}”无效',
  'Use a version such as 1.2.0.': '使用 1.2.0 这样的版本号。',
  '{} is not canonical JSON': '{1} 不是规范的 JSON',
  '{} is not valid': '{1} 无效',
  '{} has schema {}; this program reads schema 1': '{1} 的格式版本是 {2}，这个程序只支持 1',
  '{} has critical fields that this program does not support: {}':
    '{1} 中有这个程序不支持的关键字段：{2}',
  'update to release {} first, then to this one': '先更新到 {1}，再更新到这个版本',
  '{} unknown fields': '{1} 个未知的字段',

  'trust.json is not a valid trust anchor': 'trust.json 无效',
  'Restore the file from a backup, or set the server up again from user-data.':
    '从备份恢复这个文件，或用 user-data 重新部署服务器。',
  'the recovery key of this server did not sign the rotation of keys':
    '密钥轮换不是由这台服务器的恢复密钥签名',
  'the rotation of keys is not a valid canonical document': '密钥轮换的文件无效或不规范',
  'the rotation of keys is for {}, not {}': '密钥轮换用于 {1}，不是 {2}',
  'rotation {} of keys does not follow {}': '第 {1} 次密钥轮换不能接在第 {2} 次之后',
  'the rotation trusts a key that was revoked': '密钥轮换信任已吊销的密钥',
  'Compare the key IDs with the published ones, and install nothing until you know which list is right.':
    '把密钥指纹与公布的核对；弄清哪一份正确之前，不要安装任何东西。',
  'more than {} keys would be revoked': '吊销的密钥会超过 {1} 个',
  'the release trusts a key that was revoked': '这个版本信任已吊销的密钥',
  'a revoked key signed the release': '这个版本由已吊销的密钥签名',
  'Do not install the release. Compare its key IDs with the published ones.':
    '不要安装这个版本。把它的密钥指纹与公布的核对。',
  'the keys allow no release older than {}': '密钥轮换不允许比 {1} 旧的版本',
  'Use {} or a newer release, not {}.': '使用 {1} 或更新的版本，不能用 {2}。',

  'Tell the maintainers of the channel, and try another mirror.':
    '告知更新频道的维护者，并换一个镜像源。',
  'Update this server by hand: see updates.md of the documentation.':
    '请手动更新这台服务器：见 Landfall 文档 updates.md。',
  'the channel is of {}, not {}': '这是 {1} 的更新频道，不是 {2} 的',
  'Correct `updates.channels` of the site.': '修改站点的 `updates.channels`。',
  'no trusted release key signed the channel (trusted: {})':
    '更新频道不是由受信任的密钥签名（受信任：{1}）',
  'Compare the key IDs with the published ones; a mirror may have been changed.':
    '把密钥指纹与公布的核对；镜像源可能被篡改。',
  'the channel needs rotation {} of the keys, and this server has {}':
    '更新频道需要第 {1} 次密钥轮换，这台服务器只到第 {2} 次',
  'Ask the maintainers of the channel to publish its folder trust/ completely.':
    '请频道的维护者完整发布 trust/ 文件夹。',
  'the channel was signed before rotation {} of the keys': '更新频道在第 {1} 次密钥轮换之前签名',
  'the channel has serial {}, and this server has seen {}':
    '更新频道的序号是 {1}，这台服务器见过 {2}',
  'Wait: the mirror is older than another one. If it stays so, remove it from `updates.channels`.':
    '请等待：这个镜像源比另一个旧。一直如此时，从 `updates.channels` 中删除它。',
};
