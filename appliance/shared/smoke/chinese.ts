import type { ChineseRows } from '#contract/text/translated.ts';

/** Why a smoke test of a WebSocket failed. */
export const smokeRows: ChineseRows = {
  'timed out without a message': '超时，没有收到消息',
  'the upgrade was rejected': '升级为 WebSocket 被拒绝',
  'the connection closed without a message': '连接关闭，没有收到消息',
  'the request timed out': '请求超时',
};
