import { z } from 'zod';
import type { Site } from '#contract/site/site.ts';
import type { Language } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTime } from '#contract/text/time-zone.ts';

/** A message to a target: one short plain text. */
export interface Message {
  /** The name of the server. */
  readonly server: string;
  readonly title: string;
  readonly text: string;
  readonly alerts: readonly Alert[];
}

/** Bytes in UTF-8. WeCom allows 2048, Discord 2000 characters, ntfy 4096 bytes. */
const maxText = 1800;
const maxLines = 12;

/** How the recipients of a site read: its language and its time zone. */
export type Readers = Pick<Site, 'language' | 'timezone'>;

/**
 * Renders alerts as one message: what changed, since when, and the command to run. The word Landfall
 * is always in the text, because some robots accept only messages with a keyword.
 */
export function renderMessage(
  server: string,
  alerts: readonly Alert[],
  { language = 'en', timezone }: Readers = {},
): Message {
  const inWords = words[language];
  const title = inWords.title(server, summaryOf(alerts, inWords));
  const time = (iso: string) => formatTime(new Date(iso), timezone);
  const lines = alerts.slice(0, maxLines).map((alert) => inWords[alert.state](alert, time));
  const rest = alerts.length - lines.length;
  const commands = [...new Set(alerts.map(({ command }) => command))].map(inWords.run);
  const body = [title, ...lines, ...(rest > 0 ? [inWords.more(rest)] : [])];
  return {
    server,
    title: clean(title),
    text: shorten(body.map(clean), commands.map(clean)),
    alerts,
  };
}

/** Returns the message of `landfall alert test`. */
export function testMessage(server: string, { language = 'en' }: Readers = {}): Message {
  const inWords = words[language];
  const title = clean(inWords.title(server, inWords.test));
  return { server, title, text: `${title}\n${inWords.arrives}`, alerts: [] };
}

function summaryOf(alerts: readonly Alert[], inWords: Words): string {
  const [first, ...others] = alerts;
  if (first === undefined) return inWords.nothing;
  if (others.length === 0) return inWords.one(first);
  const count = (state: Alert['state']) => alerts.filter((each) => each.state === state).length;
  return inWords.counts(count('failed'), count('working'), count('notice'));
}

type FormatTime = (iso: string) => string;

const english = {
  title: (server: string, summary: string) => `Landfall on ${server}: ${summary}`,
  one: ({ subject, state }: Alert) =>
    ({ failed: `${subject} failed`, working: `${subject} working again`, notice: subject })[state],
  counts: (failed: number, working: number, notices: number) =>
    [
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(working > 0 ? [`${working} working again`] : []),
      ...(notices > 0 ? [`${notices} notices`] : []),
    ].join(', '),
  failed: ({ subject, since, detail }: Alert, time: FormatTime) =>
    `Failed: ${subject}, since ${time(since)}${detail ? ` (${detail})` : ''}.`,
  working: ({ subject, since, at }: Alert, time: FormatTime) =>
    `Working again: ${subject}. It failed from ${time(since)} to ${time(at)}.`,
  notice: ({ subject }: Alert) => `${subject}.`,
  more: (count: number) => `and ${count} more`,
  run: (command: string) => `Run: ${command}`,
  nothing: 'no change',
  test: 'test message',
  arrives: 'Alerts arrive here.',
};

type Words = typeof english;

const chinese: Words = {
  title: (server, summary) => `Landfall（${server}）：${summary}`,
  one: ({ subject, state }) =>
    ({ failed: `${subject} 故障`, working: `${subject} 已恢复`, notice: subject })[state],
  counts: (failed, working, notices) =>
    [
      ...(failed > 0 ? [`${failed} 项故障`] : []),
      ...(working > 0 ? [`${working} 项已恢复`] : []),
      ...(notices > 0 ? [`${notices} 条通知`] : []),
    ].join('，'),
  failed: ({ subject, since, detail }, time) =>
    `故障：${subject}，始于 ${time(since)}${detail ? `（${detail}）` : ''}。`,
  working: ({ subject, since, at }, time) =>
    `已恢复：${subject}。故障时间：${time(since)} 至 ${time(at)}。`,
  notice: ({ subject }) => `${subject}。`,
  more: (count) => `另有 ${count} 项`,
  run: (command) => `请运行：${command}`,
  nothing: '没有变化',
  test: '测试消息',
  arrives: '告警会发送到这里。',
};

const words: Readonly<Record<Language, Words>> = { en: english, zh: chinese };

/** Removes control characters, and the brackets of mentions and tags of chat services. */
function clean(line: string): string {
  return plainLine(line.replace(/[<>]/g, ' '), 400);
}

/** Drops the last lines of the body, so that the title and the commands remain. */
function shorten(body: readonly string[], commands: readonly string[]): string {
  const shownLines = [...body];
  const join = () => [...shownLines, ...commands].join('\n');
  while (Buffer.byteLength(join()) > maxText && shownLines.length > 1) shownLines.pop();
  return join();
}

export const alertSchema = z.strictObject({
  /** What changed its state, such as `images of docker.io`. */
  subject: z.string().max(200),
  state: z.enum(['failed', 'working', 'notice']),
  /** The first failure. */
  since: z.iso.datetime(),
  /** When the state changed. */
  at: z.iso.datetime(),
  /** The cause of a failure, without secrets. */
  detail: z.string().max(300).optional(),
  /** What the administrator can run. */
  command: z.string().max(200),
});

/** A change of state that the administrator should know about. */
export type Alert = z.infer<typeof alertSchema>;
