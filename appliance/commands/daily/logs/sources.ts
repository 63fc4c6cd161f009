import { setTimeout as sleep } from 'node:timers/promises';
import { componentNames, componentOf } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../../../server/host/host.ts';
import { containerEntries, type Entry, journalEntries } from './entry.ts';
import type { ReadLines } from './read-lines.ts';

/** The logs that a user has chosen. */
interface ChosenLogs {
  /** Components with a log of Docker. */
  readonly containers: readonly string[];
  /** Units without prefix and ending; `all` includes those that no longer exist. */
  readonly units: readonly string[] | 'all';
  /** Components of which Docker keeps no log. */
  readonly silent: readonly string[];
}

/**
 * Returns the chosen logs.
 * @param services the components that have a container
 * @throws LandfallError USAGE for an unknown name
 */
export async function chooseLogs(
  host: Host,
  services: readonly string[],
  names: readonly string[],
): Promise<ChosenLogs> {
  const units = await unitsOf(host);
  const unknown = names.find((name) => !services.includes(name) && !units.includes(name));
  if (unknown !== undefined) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `no component or unit of this server: ${plainLine(unknown)}`,
        zh: `这台服务器没有这个组件或单元：${plainLine(unknown)}`,
      }),
      {
        hint: {
          en: `Choose from: ${[...services, ...units].join(', ')}.`,
          zh: `可选：${[...services, ...units].join('、')}。`,
        },
      },
    );
  }
  const chosen = names.length === 0 ? services : services.filter((name) => names.includes(name));
  return {
    containers: chosen.filter((name) => !isSilent(name)),
    units: names.length === 0 ? 'all' : units.filter((name) => names.includes(name)),
    silent: chosen.filter(isSilent),
  };
}

function isSilent(service: string): boolean {
  const name = componentNames.find((each) => each === service);
  return name !== undefined && componentOf(name).logging === 'none';
}

/** Returns the services of Landfall that systemd has, without prefix and ending. */
async function unitsOf(host: Host): Promise<string[]> {
  return (await host.namesIn('etc/systemd/system')).flatMap(
    (name) => /^landfall-(.+)\.service$/.exec(name)?.[1] ?? [],
  );
}

interface Range {
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Lines of each log. */
  readonly tail?: number | undefined;
}

/** Where logs are read. */
interface LogReader {
  readonly read: ReadLines;
  /** Returns the container of a component. */
  readonly containerOf: (name: string) => Promise<string>;
}

/** Opens the chosen logs, each sorted by time. */
export async function openLogs(
  { read, containerOf }: LogReader,
  { containers, units }: ChosenLogs,
  range: Range,
): Promise<AsyncIterable<Entry>[]> {
  const journal =
    units.length > 0 ? [journalEntries(read('journalctl', journalArgs(units, range)))] : [];
  const logs = containers.map(async (name) =>
    containerEntries(name, read('docker', dockerArgs(await containerOf(name), range))),
  );
  return [...(await Promise.all(logs)), ...journal];
}

/** Opens the chosen logs from a time on, without an end. */
export function followLogs(
  reader: LogReader,
  { containers, units }: ChosenLogs,
  since: number,
): AsyncIterable<Entry>[] {
  const journal =
    units.length > 0
      ? [journalEntries(reader.read('journalctl', ['--follow', ...journalArgs(units, { since })]))]
      : [];
  return [...containers.map((name) => followContainer(reader, name, since)), ...journal];
}

/** Docker ends a log with its container. After a restart or an update it goes on. Milliseconds. */
const pause = 1000;

async function* followContainer(
  { read, containerOf }: LogReader,
  name: string,
  since: number,
): AsyncGenerator<Entry> {
  let last = since;
  for (;;) {
    const args = dockerArgs(await containerOf(name), { since: last }, ['--follow']);
    const lines = read('docker', args);
    for await (const entry of containerEntries(name, timed(lines))) {
      // Lines of the same time were shown before.
      if (entry.time <= last) continue;
      last = entry.time;
      yield entry;
    }
    await sleep(pause);
  }
}

/** Drops errors of Docker, such as those about a container that is being replaced. */
async function* timed(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (/^\d{4}-\d\d-\d\dT/.test(line)) yield line;
}

function dockerArgs(
  container: string,
  { since, tail }: Range,
  options: readonly string[] = [],
): string[] {
  const from = since === undefined ? [] : ['--since', new Date(since).toISOString()];
  const last = tail === undefined ? [] : ['--tail', `${tail}`];
  return ['logs', '--timestamps', ...options, ...from, ...last, container];
}

function journalArgs(units: ChosenLogs['units'], { since, tail }: Range): string[] {
  const chosen = units === 'all' ? ['*'] : units.map((name) => `${name}.service`);
  return [
    ...['--output', 'json', '--all', '--no-pager', '--quiet'],
    ...['--output-fields', 'MESSAGE,UNIT,_SYSTEMD_UNIT'],
    ...chosen.flatMap((name) => ['--unit', `landfall-${name}`]),
    ...(since === undefined ? [] : ['--since', `@${Math.floor(since / 1000)}`]),
    ...['--lines', tail === undefined ? 'all' : `${tail}`],
  ];
}
