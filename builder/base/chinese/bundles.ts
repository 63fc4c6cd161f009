import type { ChineseRows } from '#contract/text/translated.ts';

/** Building, signing and verifying bundles. */
export const bundleRows: ChineseRows = {
  'building the {} bundle for {}': '正在构建 {2} 的{1}发布包',
  thin: '精简',
  full: '完整',
  '{} is left out: its digest is not locked; run `landfall lock`':
    '不含 {1}：没有锁定摘要；请运行 `landfall lock`',
  'pinned by index digest only, manifests and sizes unresolved: {}':
    '只锁定了索引摘要，清单和大小未确定：{1}',
  '{} is not pinned: the server pulls the current version; run `landfall lock` to pin it':
    '{1} 没有锁定：服务器会下载当时的版本；运行 `landfall lock` 来锁定',
  'the provenance names no commit: missing or invalid variable {}':
    '来源证明中没有提交：变量 {1} 缺失或无效',
  'the digest of {} is not locked': '{1} 的摘要没有锁定',
  'Run `landfall lock` to resolve it from its registry.': '运行 `landfall lock`，从镜像仓库查询。',
  '--without {}: the component is required': '--without {1}：这个组件是必需的',
  '--without {}: no such component or model': '--without {1}：没有这个组件或模型',
  'models are not locked: {}': '模型没有锁定：{1}',
  'Run `landfall lock`, or leave a model out with --without {}.':
    '运行 `landfall lock`，或用 --without {1} 去掉模型。',
  'the SHA-256 of {} for {} is not locked': '{2} 的 {1} 的 SHA-256 没有锁定',
  '{} {} is not a size': '{1} {2} 不是大小',
  'Use bytes, or a number with kB, MB or GB, such as 1.9GB.':
    '使用字节数，或带 kB、MB、GB 的数字，例如 1.9GB。',
  '--max-part-size {}: the bundle needs {} parts': '--max-part-size {1}：发布包需要 {2} 个分卷',
  'Use at least {}.': '至少用 {1}。',
  'the signing key is not one of the trusted keys': '签名的密钥不在受信任的密钥中',
  'Add {} to trust.release in {}, or sign with a key from that list.':
    '把 {1} 加入 {2} 的 trust.release，或用列表中的密钥签名。',
  'cannot read the public key {}': '无法读取公钥 {1}',
  'Write paths under `trust` relative to the folder of appliance.yaml.':
    '`trust` 下的路径相对于 appliance.yaml 所在的文件夹。',

  '{} already exists': '{1} 已存在',
  'Use this key for all your releases and skip this step, or create another one with --name or --output.':
    '所有版本都使用这个密钥并跳过这一步，或用 --name、--output 另外生成一个。',
  'the environment variable {} is not set': '没有设置环境变量 {1}',
  'cannot read the key file {}': '无法读取密钥文件 {1}',
  'Create a key with `landfall keygen`, or use another one with --key.':
    '用 `landfall keygen` 生成密钥，或用 --key 指定另一个。',
  'other users can read the key file {}': '其他用户可以读取密钥文件 {1}',
  'Run: chmod 600 {}. If other users had access to this machine, create a new key.':
    '运行：chmod 600 {1}。如果别人用过这台电脑，请生成新的密钥。',
  'the passphrase of the key is wrong': '密钥的口令不正确',
  'Try again; a lost passphrase cannot be recovered.': '再试一次；口令丢失后无法找回。',
  '{} is not a private key in PEM form': '{1} 不是 PEM 格式的私钥',
  'Use the .key file of `landfall keygen`, not the .pub file.':
    '使用 `landfall keygen` 的 .key 文件，不是 .pub 文件。',
  '{} is encrypted': '{1} 已加密',
  'Set the environment variable {} to the passphrase, or run this on a terminal.':
    '把环境变量 {1} 设为口令，或在终端中运行。',

  '{} is not a bundle': '{1} 不是发布包',
  'Use the .tar file that `landfall build` wrote, or its folder.':
    '使用 `landfall build` 生成的 .tar 文件，或所在的文件夹。',
  'Download all parts of the bundle into one folder.': '把发布包的所有分卷下载到同一个文件夹。',
  '{} has {} bytes instead of {}': '{1} 有 {2} 字节，应为 {3} 字节',
  '{} has no bundle': '{1} 中没有发布包',
  'Use the release.json that was published with the bundle.':
    '使用与发布包一起发布的 release.json。',
  'more than one bundle per architecture: {}': '同一架构有多个发布包：{1}',
  'the bundles do not belong to one release': '这些发布包不属于同一个版本',
  'Use bundles of one build, with one bundle per architecture.':
    '使用同一次构建的发布包，每个架构一个。',
  'the release is not valid': '版本无效',
  'Shorten or rename the items above.': '缩短上面的名称，或换一个。',
};
