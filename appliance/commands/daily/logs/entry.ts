import { stripEscapeSequences } from '#contract/text/display-width.ts';
import { parseJson } from '#contract/text/json.ts';
import { unprintable } from '#contract/text/plain-line.ts';

/** A line of a log. */
export interface Entry {
  /** Milliseconds since 1970, with a fraction. */
  readonly time: number;
  /** A component, or a unit without its prefix, such as `route`. */
  readonly source: string;
  readonly kind: 'container' | 'unit';
  readonly text: string;
}

/** The options of `landfall logs`. */
export interface LogFlags {
  readonly follow?: boolean;
  /** Milliseconds before now. */
  readonly since?: number;
  readonly grep?: string;
  readonly lines?: number;
  readonly json?: boolean;
}

/** Characters. */
const [maxRead, maxShown] = [8192, 4000];

/**
 * Converts an untrusted line to plain text without secrets and control characters. Spaces stay, because
 * traces of programs are indented.
 * @param hide removes secrets
 */
export function cleanText(text: string, hide: (line: string) => string): string {
  const plain = stripEscapeSequences(text.slice(0, maxRead))
    .replaceAll('\t', '    ')
    .replace(unprintable, '')
    .trimEnd();
  const hidden = hide(plain);
  return hidden.length <= maxShown ? hidden : `${hidden.slice(0, maxShown - 1)}…`;
}

/** Returns a time of Docker, such as `2026-11-26T22:34:23.123456789Z`, in milliseconds. */
function timeOf(text: string): number | undefined {
  const [, second, fraction = '0'] = /^(\S+?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  const time = Date.parse(`${second}Z`);
  return Number.isNaN(time) ? undefined : time + Number(`0.${fraction}`) * 1000;
}

/**
 * Parses lines of `docker logs --timestamps`. A line without a time, such as an error of Docker, gets that
 * of the line before.
 */
export async function* containerEntries(
  source: string,
  lines: AsyncIterable<string>,
): AsyncGenerator<Entry> {
  let last: number | undefined;
  for await (const line of lines) {
    const space = line.indexOf(' ');
    const time = timeOf(space < 0 ? line : line.slice(0, space));
    const text = time === undefined ? line : line.slice(space < 0 ? line.length : space + 1);
    // Clocks are set back. The merge needs sorted times.
    last = Math.max(time ?? last ?? Date.now(), last ?? 0);
    yield { time: last, source, kind: 'container', text };
  }
}

const unitName = /^landfall-(.+)\.(?:service|timer|socket)$/;

/** Parses lines of `journalctl --output json`. Other lines are skipped. */
export async function* journalEntries(lines: AsyncIterable<string>): AsyncGenerator<Entry> {
  let last = 0;
  for await (const line of lines) {
    const value = parseJson(line);
    if (typeof value !== 'object' || value === null) continue;
    const fields: Readonly<Record<string, unknown>> = { ...value };
    // `UNIT` is what systemd itself reports about a unit.
    const source = [fields.UNIT, fields._SYSTEMD_UNIT]
      .map((name) => unitName.exec(String(name))?.[1])
      .find((name) => name !== undefined);
    const time = Number(fields.__REALTIME_TIMESTAMP) / 1000;
    if (source === undefined || !Number.isFinite(time)) continue;
    last = Math.max(time, last);
    for (const text of messageOf(fields.MESSAGE).split('\n'))
      if (text !== '') yield { time: last, source, kind: 'unit', text };
  }
}

/** A message with control characters is an array of bytes. */
function messageOf(message: unknown): string {
  if (typeof message === 'string') return message;
  if (!Array.isArray(message)) return '';
  return Buffer.from(message.map(Number)).toString();
}
