import { plainLine } from '#contract/text/plain-line.ts';
import type { Alert } from './alert.ts';

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

/**
 * Renders alerts as one message: what changed, since when, and the command to run. The word Landfall
 * is always in the text, because some robots accept only messages with a keyword.
 */
export function renderMessage(server: string, alerts: readonly Alert[]): Message {
  const title = `Landfall on ${server}: ${summaryOf(alerts)}`;
  const lines = alerts.slice(0, maxLines).map(lineOf);
  const rest = alerts.length - lines.length;
  const commands = [...new Set(alerts.map(({ command }) => command))];
  const text = [
    title,
    ...lines,
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...commands.map((command) => `Run: ${command}`),
  ];
  return { server, title: clean(title), text: shorten(text.map(clean)), alerts };
}

/** Returns the message of `landfall alert test`. */
export function testMessage(server: string): Message {
  const title = `Landfall on ${server}: test message`;
  return { server, title: clean(title), text: `${clean(title)}\nAlerts arrive here.`, alerts: [] };
}

function summaryOf(alerts: readonly Alert[]): string {
  const [first, ...others] = alerts;
  if (first === undefined) return 'no change';
  const failed = alerts.filter(({ state }) => state === 'failed').length;
  if (others.length === 0) return `${first.subject} ${stateWords[first.state]}`;
  const working = alerts.length - failed;
  const counts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(working > 0 ? [`${working} working again`] : []),
  ];
  return counts.join(', ');
}

const stateWords = { failed: 'failed', working: 'working again' } as const;

function lineOf({ subject, state, since, at, detail }: Alert): string {
  if (state === 'working') {
    return `Working again: ${subject}. It failed from ${time(since)} to ${time(at)}.`;
  }
  return `Failed: ${subject}, since ${time(since)}${detail ? ` (${detail})` : ''}.`;
}

function time(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Removes control characters, and the brackets of mentions and tags of chat services. */
function clean(line: string): string {
  return plainLine(line.replace(/[<>]/g, ' '), 400);
}

/** Drops the last lines, so that the title and the commands remain. */
function shorten(lines: readonly string[]): string {
  const kept = [...lines];
  while (Buffer.byteLength(kept.join('\n')) > maxText && kept.length > 2) {
    kept.splice(
      kept.findLastIndex((line) => !line.startsWith('Run: ')),
      1,
    );
  }
  return kept.join('\n');
}
