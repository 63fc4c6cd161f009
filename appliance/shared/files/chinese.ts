import type { ChineseRows } from '#contract/text/translated.ts';

/** Why a file cannot be used. */
export const fileRows: ChineseRows = {
  '{} does not exist': '{1} 不存在',
  '{} cannot be opened or written: permission denied': '没有权限打开或写入 {1}',
  '{} cannot be written: the disk is full': '无法写入 {1}：磁盘已满',
  '{} is not a regular file': '{1} 不是普通文件',
  '{} is a folder': '{1} 是文件夹',
};
