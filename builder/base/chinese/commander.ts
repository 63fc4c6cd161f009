import type { ChineseRows } from '#contract/text/translated.ts';

/** Headings of the help, what commander adds to it, and its errors. */
export const commanderRows: ChineseRows = {
  Usage: '用法',
  Options: '选项',
  Arguments: '参数',
  Commands: '命令',
  'Make a release': '制作版本',
  Inspect: '检查',
  'Keys and channels': '密钥和更新频道',
  Deliver: '交付',
  Network: '网络',
  Help: '帮助',
  'display help for command': '显示用法',
  'output the version number': '显示版本号',
  '(default: {})': '（默认：{1}）',
  '(choices: {})': '（可选：{1}）',
  '(choices: {}, default: {})': '（可选：{1}；默认：{2}）',
  "unknown command '{}'": '没有命令 {1}',
  "unknown command '{}'\n(Choose from: {}.)": '没有命令 {1}（可选：{2}）',
  "unknown option '{}'": '没有选项 {1}',
  "missing required argument '{}'": '缺少参数 {1}',
  "required option '{}' not specified": '缺少选项 {1}',
  "option '{}' argument missing": '选项 {1} 缺少值',
  "option '{}' cannot be used with option '{}'": '选项 {1} 不能与 {2} 一起用',
  "option '{}' argument '{}' is invalid. {}": '选项 {1} 的值 {2} 无效。{3}',
  "command-argument value '{}' is invalid for argument '{}'. {}": '参数 {2} 的值 {1} 无效。{3}',
  'too many arguments. Expected {} arguments but got {}.': '参数过多：应为 {1} 个，实际 {2} 个',
  "too many arguments for '{}'. Expected {} argument but got {}.":
    '{1} 的参数过多：应为 {2} 个，实际 {3} 个',
  "too many arguments for '{}'. Expected {} arguments but got {}.":
    '{1} 的参数过多：应为 {2} 个，实际 {3} 个',
  'Did you mean {}?': '您是不是要输入 {1}？',
  'Did you mean one of {}?': '您是不是要输入其中一个：{1}？',
};
