import { maxReadingMinutes } from '../../../document-limits.ts';

/** Limits that Open WebUI does not have. */
export interface PageLimits {
  /** Tokens of a conversation with a local model; null without one. */
  readonly context: number | null;
  /** Maximum size of a plain text in MB. */
  readonly text: number;
}

/**
 * Returns the functions that check a message and a text before they are sent. Ollama cuts a message that
 * exceeds the context, without an error, and a long text occupies the CPUs for hours.
 *
 * The server does not know a rejected message, so the next one follows the message before it.
 *
 * Tokens are estimated: four characters of a Latin text, or one and a half Chinese characters. A file is
 * a text if its beginning has no zero byte and is no PDF.
 */
export function limitChecks({ context, text }: PageLimits): string {
  return `const context = ${context}, maxText = ${text};
const tokensOf = (text) => {
  const wide = (text.match(/[\\u2e80-\\uffef]/g) ?? []).length;
  return Math.round(wide / 1.5 + (text.length - wide) / 4);
};

/** Replies to rejected messages, and the reply before each. */
const rejected = new Map();

const checkMessage = (body) => {
  const { model_item: model, user_message: message, message_ids: replies } = body;
  const follows = rejected.has(body.parent_id);
  const before = follows ? rejected.get(body.parent_id) : body.parent_id;
  const tokens = tokensOf(message.content);
  if (context === null || model.owned_by !== 'ollama' || tokens <= context)
    return follows && { ...body, parent_id: before, user_message: { ...message, parentId: before } };
  for (const { message_id } of replies) rejected.set(message_id, before);
  return refuse(400, 'This message is too long: about ' + tokens + ' tokens, and local models on this server read ' +
    context + ' at most, with the whole conversation. Send a part of it, or attach it as a file: then the model reads ' +
    'the passages that fit your question. 消息过长：约 ' + tokens + ' 个 token，而此服务器上的本地模型连同整个对话最多读取 ' +
    context + ' 个。请只发送一部分，或作为文件上传：模型会读取与问题有关的段落。');
};

const checkText = (file, start) => {
  if (file.size <= maxText * 1e6 || start.includes(0) || String.fromCharCode(...start.slice(0, 4)) === '%PDF') return;
  return refuse(413, 'This text is too long: the limit is ${text} MB, which this server reads in ${maxReadingMinutes} minutes. ' +
    'Split it, or upload only the part that you need. 文本过长：上限为 ${text} MB，即此服务器 ${maxReadingMinutes} 分钟的读取量。' +
    '请拆分文件，或只上传需要的部分。');
};
`;
}
