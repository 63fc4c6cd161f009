import type { ChineseRows } from '#contract/text/translated.ts';

/** Configuration files: their encoding, their syntax, and secrets in them. */
export const configurationRows: ChineseRows = {
  'standard input': '标准输入',
  '{} is larger than {} bytes': '{1} 超过 {2} 字节',
  'Check that this is the right file.': '检查文件是否正确。',
  '{} starts with a byte order mark': '{1} 的开头有字节顺序标记（BOM）',
  'Save it as "UTF-8", not "UTF-8 with BOM".': '另存为 UTF-8，而不是带 BOM 的 UTF-8。',
  '{} is encoded in UTF-16': '{1} 的编码是 UTF-16',
  '{} is not UTF-8 text': '{1} 不是 UTF-8 文本',
  'Save it as "UTF-8" in your editor.': '用编辑器另存为 UTF-8。',
  '{} contains an invisible character': '{1} 中有不可见的字符',
  'invisible character U+{}': '不可见的字符 U+{1}',
  '{} is not valid JSON': '{1} 不是有效的 JSON',
  'Fix the problems above first; {} more lines have problems.':
    '先修改上面的问题；还有 {1} 行有问题。',
  'Fix the problems above and run the command again.': '修改上面的问题，再重新运行这条命令。',
  '{} contains secrets, which are not allowed in user-data': '{1} 中有机密，不能写入 user-data',
  'Remove them. The server generates its own secrets; set provider keys on it after the first boot.':
    '删除它们。服务器会自己生成机密；模型服务商密钥请在首次启动后在服务器上设置。',
};
