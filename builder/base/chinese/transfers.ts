import type { ChineseRows } from '#contract/text/translated.ts';

/** Files of this computer and downloads. */
export const transferRows: ChineseRows = {
  'Check the permissions of the file.': '检查文件的权限。',
  'cannot {} {}: the disk is full': '无法{1} {2}：磁盘已满',
  'create the cache': '创建缓存',
  'write into': '写入',
  'Check that the folder exists and is writable, or move the cache with XDG_CACHE_HOME.':
    '检查文件夹存在并可写，或用 XDG_CACHE_HOME 换一个缓存位置。',
  'Run the command again.': '重新运行这条命令。',

  'the connection was closed': '连接被关闭',
  '{} failed: {} responded with status {}{}': '{1} 失败：{2} 返回状态 {3}{4}',

  '{}: the partial download of an earlier build is damaged; restarting the download':
    '{1}：以前下载的部分已损坏，重新下载',
  '{} is corrupt: its digest is not {}': '{1} 已损坏：摘要不是 {2}',
  '{} is larger than the expected {} bytes': '{1} 超过预期的 {2} 字节',
  '{} ended after {} of {} bytes': '{1} 在第 {2} 字节处结束，应有 {3} 字节',
  'Try again, or configure another mirror or proxy.': '再试一次，或换用其他镜像源或代理。',
  'requesting the file size from {}': '从 {1} 查询文件大小',
  'fetching {} from {}': '从 {2} 下载 {1}',
  'writing {}': '写入 {1}',
  'uploading {}': '上传 {1}',
  'reading {}': '读取 {1}',
  reading: '读取',
  'downloading from {}': '从 {1} 下载',
  'the file on {}': '{1} 上的文件',
  'the file on {} differs from the locked one': '{1} 上的文件与锁文件中的不同',
  'Use another URL of the same file, or ask its publisher why it changed.':
    '换用同一文件的其他网址，或询问发布者为什么改变。',
  'HF_ENDPOINT is not an http or https URL': 'HF_ENDPOINT 不是 http 或 https 网址',
  'Set a URL, for example HF_ENDPOINT=https://hub.example.cn.':
    '设置网址，例如 HF_ENDPOINT=https://hub.example.cn。',
};
