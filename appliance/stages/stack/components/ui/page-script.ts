import { documentLimits, maxReadingMinutes } from '../../document-limits.ts';
import { contextOf } from '../../model-memory.ts';
import { plainFile, type RenderedFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/** Open WebUI's page loads this script, which is empty in its image. */
export const pageScriptPath = '/static/loader.js';
/** The file that the gateway serves instead, below the stack's folder. */
export const pageScriptFile = 'gateway/public/ui-limits.js';

/** Limits that Open WebUI does not have. */
interface PageLimits {
  /** Tokens of a conversation with a local model; null without one. */
  readonly context: number | null;
  /** Maximum size of a plain text in MB. */
  readonly text: number;
}

/**
 * Renders the script that checks a message and a text before Open WebUI's page sends them. Ollama cuts
 * a message that exceeds the context, without an error, and a long text occupies the CPUs for hours.
 */
export function renderPageScript({ models, server }: StackInput): RenderedFile {
  return plainFile(
    pageScriptFile,
    pageScript({
      context: models?.chat ? contextOf(models.models, server) : null,
      text: documentLimits(models?.embedding, server).text,
    }),
  );
}

/**
 * Returns the script. It answers a request in place of the server, so Open WebUI shows the sentence as
 * an error of its own. The server does not know a rejected message, so the next one follows the message
 * before it. Each request that the script does not understand is sent unchanged.
 *
 * Tokens are estimated: four characters of a Latin text, or one and a half Chinese characters. A file is
 * a text if its beginning has no zero byte and is no PDF.
 */
export function pageScript({ context, text }: PageLimits): string {
  return `(() => {
const context = ${context}, maxText = ${text};
const send = window.fetch;
const refuse = (status, detail) =>
  new Response(JSON.stringify({ detail }), { status, headers: { 'content-type': 'application/json' } });

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

const checkFile = async (file) => {
  if (!(file instanceof Blob) || file.size <= maxText * 1e6) return;
  const start = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
  if (start.includes(0) || String.fromCharCode(...start.slice(0, 4)) === '%PDF') return;
  return refuse(413, 'This text is too long: the limit is ${text} MB, which this server reads in ${maxReadingMinutes} minutes. ' +
    'Split it, or upload only the part that you need. 文本过长：上限为 ${text} MB，即此服务器 ${maxReadingMinutes} 分钟的读取量。' +
    '请拆分文件，或只上传需要的部分。');
};

/** Returns a response, another body, or neither. */
const check = async (input, body) => {
  const { pathname } = new URL(input, location.href);
  if (pathname === '/api/chat/completions') return checkMessage(JSON.parse(body));
  if (pathname === '/api/v1/files/') return await checkFile(body.get('file'));
};

window.fetch = async (input, init) => {
  const checked = init?.body && (await check(input, init.body).catch(() => undefined));
  if (checked instanceof Response) return checked;
  return send.call(window, input, checked ? { ...init, body: JSON.stringify(checked) } : init);
};
})();
`;
}
