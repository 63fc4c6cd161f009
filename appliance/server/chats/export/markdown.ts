import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { contentSchema, type ExportedChat, type Message, messageSchema } from './schemas.ts';

/** What other answers say about a chat. */
interface ChatPlace {
  /** Names from the outermost folder to that of the chat. */
  readonly folders: readonly string[];
  /** Names of exported documents, by the ID of the file. */
  readonly documents: ReadonlyMap<string, string>;
}

const say = (en: string, zh: string) => inLanguage({ en, zh });
/** Control characters, which move the cursor of a terminal. */
const control = /[^\P{Cc}\n\t]/gu;
/** Characters with a meaning in a line of Markdown. */
const markup = /[\\`*_[\]<>|#!]/g;

/**
 * Renders the messages that the chat UI shows, as Markdown: from the current message up its parents. Other
 * branches are in the JSON only. Control characters are removed. Yields the parts of the text.
 */
export function* renderChat(chat: ExportedChat, place: ChatPlace): Generator<string> {
  yield `# ${line(chat.title) || say('Chat', '对话')}\n\n${facts(chat, place).join('\n')}\n`;
  const messages = shownMessages(chat);
  for (const message of messages) yield `\n${renderMessage(message, place)}\n`;
  if (messages.length === 0) yield `\n${say('No messages.', '没有消息。')}\n`;
}

/** Returns the branch that the chat UI shows, from the first message on. */
function shownMessages({ chat, current_message_id: currentId }: ExportedChat): Message[] {
  const { history, messages: list = [] } = contentSchema.parse(chat);
  const parsed = (message: unknown) => messageSchema.safeParse(message).data ?? [];
  if (!history) return list.flatMap(parsed);
  const all = new Map(Object.entries(history.messages));
  const starts = [history.currentId, currentId, [...all.keys()].at(-1)];
  const branch: Message[] = [];
  let id = starts.find((start) => typeof start === 'string' && all.has(start)) ?? undefined;
  while (id !== undefined) {
    const message = messageSchema.safeParse(all.get(id)).data;
    // A message that is its own ancestor ends the branch.
    all.delete(id);
    if (message) branch.push(message);
    id = message?.parentId;
  }
  return branch.reverse();
}

function facts(chat: ExportedChat, { folders }: ChatPlace): string[] {
  const { models = [] } = contentSchema.parse(chat.chat);
  const tags = chat.meta?.tags ?? [];
  const states = [
    ...(chat.pinned ? [say('pinned', '已置顶')] : []),
    ...(chat.archived ? [say('archived', '已归档')] : []),
  ];
  const rows: ReadonlyArray<readonly [string, string]> = [
    [say('Created', '创建'), timeText(chat.created_at)],
    [say('Changed', '修改'), timeText(chat.updated_at)],
    [say('Models', '模型'), models.map(line).join(', ')],
    [say('Folder', '文件夹'), folders.map(line).join(' / ')],
    [say('Tags', '标签'), tags.map(line).join(', ')],
    [say('State', '状态'), states.join(', ')],
    ['ID', line(chat.id)],
  ];
  return rows.filter(([, value]) => value !== '').map(([name, value]) => `- ${name}: ${value}`);
}

function renderMessage(message: Message, { documents }: ChatPlace): string {
  const { files = [], sources = [], error } = message;
  const attached = files.map(({ id = '', name, type, file }) => {
    const label = line(name ?? file?.filename ?? type ?? id);
    const path = documents.get(id);
    return path === undefined ? label : `[${label}](<../documents/${path}>)`;
  });
  const used = sources.flatMap(({ source, metadata = [] }) => {
    const names = metadata.flatMap(({ name, source: url }) => name ?? url ?? []);
    return names.length > 0 ? names : (source?.name ?? source?.url ?? []);
  });
  return [
    `## ${headingOf(message)}`,
    textOf(message),
    list(say('Attachments', '附件'), attached),
    list(say('Sources', '来源'), [...new Set(used)].map(line)),
    error?.content ? list(say('Error', '错误'), [line(error.content)]) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headingOf({ role, model, modelName, timestamp }: Message): string {
  const name = line(modelName || model || '');
  const time = timestamp === undefined ? '' : timeText(timestamp);
  return [`${roleText(role)}${name && ` (${name})`}`, time]
    .filter((part) => part !== '')
    .join(' · ');
}

function roleText(role: string): string {
  if (role === 'user') return say('User', '用户');
  if (role === 'assistant') return say('Assistant', '助手');
  if (role === 'system') return say('System', '系统');
  return line(role);
}

/** Returns the text of a message. A reply without one has it in its output. */
function textOf({ content = '', output = [] }: Message): string {
  const text = typeof content === 'string' ? content : joined(content);
  const said = output.filter(({ type }) => type === 'message');
  const shown = text.trim() || said.map((item) => joined(item.content ?? [])).join('\n');
  return shown.replace(/\r\n?/g, '\n').replace(control, '').trim();
}

function joined(parts: ReadonlyArray<{ readonly text?: string | undefined }>): string {
  return parts.map(({ text = '' }) => text).join('');
}

function list(title: string, items: readonly string[]): string {
  const lines = items.filter((item) => item !== '').map((item) => `- ${item}`);
  return lines.length === 0 ? '' : `${title}:\n\n${lines.join('\n')}`;
}

/** Returns an untrusted text as one line, without a meaning in Markdown. */
function line(text: string): string {
  return plainLine(text, 500).replace(markup, '\\$&');
}

/** Returns a time as text; empty for an invalid one. @param seconds since 1970; early versions: ms */
export function timeText(seconds: number): string {
  const time = new Date(seconds > 1e11 ? seconds : seconds * 1000);
  return Number.isNaN(time.getTime()) ? '' : formatTime(time);
}
