import { once } from 'node:events';
import { logCommand } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Paint, TextStyle } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatSecond } from '#contract/text/time-zone.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { withoutSecrets } from '../../../relay/redact/redaction.ts';
import type { Facts } from '../../../server/load-facts.ts';
import { readSecrets } from '../../../stages/secrets/secret-values.ts';
import { componentStates, containerOf } from '../../../stages/stack/stack-state.ts';
import { cleanText, type Entry, type LogFlags } from './entry.ts';
import { lastOf, mergeByTime } from './merge.ts';
import { type ReadLines, readLines } from './read-lines.ts';
import { chooseLogs, followLogs, openLogs } from './sources.ts';

const defaultLines = 200;
/** Seconds until a Docker that does not respond counts as down. */
const dockerSeconds = 10;

/** Where the lines go, and how programs are read. Tests replace it. */
export interface LogTerminal {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  readonly read: ReadLines;
}

/**
 * Prints the chosen logs, merged by time, and with `follow` new lines as they arrive.
 * @throws LandfallError USAGE for an unknown name
 */
export async function showLogs(
  { host, site }: Pick<Facts, 'host' | 'site'>,
  names: readonly string[],
  { follow = false, since, grep, lines, json = false }: LogFlags,
  { stdout, stderr, env, read }: LogTerminal = { ...terminal(), read: readLines },
): Promise<void> {
  const services = await servicesOf({ host, site }, stderr);
  const chosen = await chooseLogs(host, services, names);
  for (const name of chosen.silent) stderr.write(`${whyNoLog(name)}\n`);
  const hide = withoutSecrets(Object.values(await readSecrets(host, site)));
  const wanted = grep?.toLowerCase();
  const isWanted = ({ text }: Entry) => wanted === undefined || text.toLowerCase().includes(wanted);
  const format = json ? asJson : lineFormat(paintFor(stdout, env), chosen.containers);
  const print = async (entry: Entry) => {
    if (!stdout.write(`${format(entry)}\n`)) await once(stdout, 'drain');
  };
  const now = Date.now();
  const range = { since: since === undefined ? undefined : now - since };
  const count = lines ?? (since === undefined ? defaultLines : undefined);
  // A log that is searched must be read completely.
  const tail = wanted === undefined ? count : undefined;
  const reader = { read, containerOf: (name: string) => containerOf(host, name) };
  const merged = mergeByTime(await openLogs(reader, chosen, { ...range, tail }));
  const past = prepared(merged, (entry) => entry.time <= now && isWanted(entry), hide);
  for await (const entry of count === undefined ? past : await lastOf(past, count))
    await print(entry);
  if (!follow) return;
  await Promise.all(
    followLogs(reader, chosen, now).map(async (log) => {
      const isNew = (entry: Entry) => entry.time > now && isWanted(entry);
      for await (const entry of prepared(log, isNew, hide)) await print(entry);
    }),
  );
}

/** The logs of units explain why Docker does not respond, or that it is not installed yet. */
async function servicesOf(
  { host, site }: Pick<Facts, 'host' | 'site'>,
  stderr: NodeJS.WritableStream,
): Promise<string[]> {
  try {
    const states = await componentStates(host, site, dockerSeconds);
    return [...new Set(states.map(({ name }) => name))].sort();
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const cause = plainLine(error.problems.at(-1)?.message ?? error.message);
    const text = { en: `no logs of components: ${cause}`, zh: `没有组件日志：${cause}` };
    stderr.write(`${inLanguage(text)}\n`);
    return [];
  }
}

function terminal() {
  const { stdout, stderr, env } = process;
  return { stdout, stderr, env };
}

/** Cleans entries before they are compared, so that a search does not find secrets. */
async function* prepared(
  entries: AsyncIterable<Entry>,
  isWanted: (entry: Entry) => boolean,
  hide: (line: string) => string,
): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    const clean = { ...entry, text: cleanText(entry.text, hide) };
    if (isWanted(clean)) yield clean;
  }
}

function asJson({ time, source, kind, text }: Entry): string {
  return JSON.stringify({ time: new Date(time).toISOString(), source, kind, text });
}

const colours: readonly TextStyle[] = ['cyan', 'green', 'yellow', 'magenta', 'blue', 'red'];
/** Columns of the name of a source. */
const width = 9;

/** Returns a formatter of lines with a colour for each source, in the order of their appearance. */
function lineFormat(paint: Paint, containers: readonly string[]): (entry: Entry) => string {
  const known = [...containers];
  return ({ time, source, text }) => {
    if (!known.includes(source)) known.push(source);
    const colour = colours[known.indexOf(source) % colours.length] ?? 'dim';
    const label = paint(colour, `${source.padEnd(width)} |`);
    return `${paint('dim', formatSecond(new Date(time)))} ${label} ${text}`.trimEnd();
  };
}

function whyNoLog(name: string): string {
  const command = logCommand(name);
  return inLanguage({
    en: `${name}: Docker keeps no log of it, because it prints keys and access codes; its state: ${command}`,
    zh: `${name}：Docker 不保留它的日志，因为它会输出密钥和访问码；查看状态：${command}`,
  });
}
