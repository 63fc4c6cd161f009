import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inBoth, inLanguage, type Text } from '#contract/text/language.ts';
import { readText, removeFile, statIfPresent, writeText } from './files.ts';
import type { Host } from './host.ts';
import { installPackages, missingPackages } from './packages/apt.ts';

/** A file that a stage places. */
export interface ManagedFile {
  readonly path: string;
  /**
   * The text; undefined if the file must not exist. A function edits a file that others write too: it
   * gets the current text, undefined for a missing file.
   */
  readonly text: string | undefined | ((current: string | undefined) => string | undefined);
  /** Permissions; by default 0644, and for an edited file its own. */
  readonly mode?: number;
  /** The group that may read the file; by default that of root. */
  readonly gid?: number | undefined;
  /** What the file sets, such as `the proxy for packages`: see {@link missing}. */
  readonly sets?: Text;
  /** Checks the text before any file of the service is written. @throws LandfallError */
  readonly verify?: (host: Host, text: string) => Promise<void>;
}

/** A systemd unit that is enabled at boot. */
interface ManagedUnit {
  readonly name: string;
  /** How the unit gets new files, and is started; undefined: it is only enabled, for the next boot. */
  readonly restart?: 'always' | 'reload';
  /** Whether a unit that systemd keeps starting counts as running. */
  readonly mayWait?: boolean;
}

/** What a stage places on a server. Files and units are in the order in which they come into effect. */
export interface Service {
  readonly packages?: readonly string[];
  readonly files?: readonly ManagedFile[];
  readonly units?: readonly ManagedUnit[];
  /** One line for all files and units: see {@link missing}. */
  readonly summary?: Text;
  /** Set if the service must not exist: the line while it does, such as `remove the SOCKS5 server`. */
  readonly unwanted?: Text | undefined;
}

/** A file with the text that it must have. */
interface ExpectedFile extends Omit<ManagedFile, 'text'> {
  readonly text: string | undefined;
  readonly mode: number;
}

/** What differs from a service: names of packages, files and names of units. */
interface Differences {
  readonly packages: readonly string[];
  readonly files: readonly ExpectedFile[];
  readonly units: readonly string[];
}

/** Returns what {@link install} would change. The observer of the host gets files to write. */
export async function differences(host: Host, service: Service): Promise<Differences> {
  const { packages = [], files = [], units = [] } = service;
  const absent = packages.length === 0 ? [] : await missingPackages(host, packages);
  const found = await Promise.all(files.map((file) => compare(host, file)));
  const running = await Promise.all(units.map((each) => isRunning(host, each)));
  const differing = found.filter((file) => file !== undefined);
  for (const { path, text, mode } of differing) {
    if (text !== undefined) host.onDifference?.({ path, content: text, mode });
  }
  const names = units.map(({ name }) => name).filter((_, index) => !running[index]);
  return { packages: absent, files: differing, units: names };
}

/**
 * Returns what {@link install} would do, one line per action: `install redsocks`, then the summary of
 * the service. Without a summary, each file has a line: `set the proxy for packages`, or
 * `write /etc/example`.
 */
export async function missing(host: Host, service: Service): Promise<string[]> {
  if (service.unwanted !== undefined) {
    return (await isPresent(host, service)) ? [inLanguage(service.unwanted)] : [];
  }
  const { packages, files, units } = await differences(host, service);
  const isDifferent = packages.length + files.length + units.length > 0;
  const lines =
    service.summary === undefined ? linesOf({ files, units }) : [inLanguage(service.summary)];
  return isDifferent ? [...packages.map((name) => installs([name])), ...lines] : [];
}

function linesOf({ files, units }: Omit<Differences, 'packages'>): string[] {
  const ofFiles = files.map(({ path, text, sets }) => {
    const [verb, what] = [
      text === undefined ? verbs.remove : verbs.write,
      sets ?? inBoth(`/${path}`),
    ];
    const english = sets !== undefined && text !== undefined ? 'set' : verb.en;
    return inLanguage({ en: `${english} ${what.en}`, zh: `${verb.zh} ${what.zh}` });
  });
  const starts = units.map((name) => inLanguage({ en: `start ${name}`, zh: `启动 ${name}` }));
  return [...new Set(ofFiles), ...starts];
}

const verbs = { remove: { en: 'remove', zh: '删除' }, write: { en: 'write', zh: '写入' } };

/** Returns the line of a plan that installs packages. */
export function installs(packages: readonly string[]): string {
  const names = packages.join(', ');
  return inLanguage({ en: `install ${names}`, zh: `安装 ${names}` });
}

/**
 * Installs packages, writes files that differ, and enables and starts units; removes an unwanted
 * service. Idempotent: after a power cut it continues. A change of any file restarts or reloads all
 * units.
 * @throws LandfallError APT_FAILED, COMMAND_FAILED
 */
export async function install(
  host: Host,
  service: Service,
  report?: { say(line: string): void },
): Promise<void> {
  if (service.unwanted !== undefined) return await remove(host, service);
  const { packages = [], units = [] } = service;
  if (packages.length > 0) await installPackages(host, packages, (line) => report?.say(line));
  const { files, units: stopped } = await differences(host, { ...service, packages: [] });
  if (files.length + stopped.length === 0) return;
  for (const { text, verify } of files) if (text !== undefined) await verify?.(host, text);
  // A file may name those before it.
  for (const { path } of files.filter(({ text }) => text === undefined).toReversed()) {
    await removeFile(host, path);
  }
  for (const { path, text, mode, gid } of files) {
    const owner = gid === undefined ? {} : { uid: process.getuid?.() ?? 0, gid };
    if (text !== undefined) await writeText(host, path, text, { mode, ...owner });
  }
  if (units.length > 0 || files.some(({ path }) => isUnitFile(path))) await reloadUnits(host);
  if (units.length === 0) return;
  await host.run('systemctl', ['enable', '--quiet', ...units.map(({ name }) => name)]);
  for (const { name, restart } of units) {
    // A running timer keeps its old schedule until it is restarted.
    if (restart === 'always') await host.run('systemctl', ['restart', name]);
    if (restart === 'reload') await host.run('systemctl', ['reload-or-restart', name]);
  }
}

/**
 * Stops the units and removes the files, the last one first, and folders made for them that are empty.
 * Packages, and units of packages, stay. Idempotent: after a power cut it continues.
 * @throws LandfallError COMMAND_FAILED
 */
export async function remove(host: Host, { files = [], units = [] }: Service): Promise<void> {
  const paths = files.map(({ path }) => path);
  const present = await presentOf(host, { files });
  if (present.length === 0) return;
  const ours = units.map(({ name }) => name).filter((name) => present.includes(unitFileOf(name)));
  if (ours.length > 0) {
    await host.run('systemctl', ['disable', '--now', '--quiet', ...ours.toReversed()]);
  }
  for (const path of paths.toReversed()) {
    await removeFile(host, path);
    // Another service may have a file in the folder.
    if (/^etc\/(?:systemd\/.*\.d|tinyproxy)\//.test(path))
      await rmdir(host.path(dirname(path))).catch(() => undefined);
  }
  if (paths.some(isUnitFile)) await reloadUnits(host);
}

/** Returns whether a file of the service exists, also after an interrupted removal. */
export async function isPresent(host: Host, service: Service): Promise<boolean> {
  return (await presentOf(host, service)).length > 0;
}

/** Returns whether {@link install} would change nothing. */
export async function isInPlace(host: Host, service: Service): Promise<boolean> {
  const { packages, files, units } = await differences(host, service);
  return packages.length + files.length + units.length === 0;
}

/** Returns whether a file exists whose text passes a test. */
export async function hasText(
  host: Host,
  path: string,
  test: (text: string) => boolean,
): Promise<boolean> {
  const text = await readText(host, path);
  return text !== undefined && test(text);
}

/** Makes systemd read changed unit files. */
export async function reloadUnits(host: Host): Promise<void> {
  await host.run('systemctl', ['daemon-reload']);
}

/** Returns the path of a unit file that Landfall writes; that of its template for an instance. */
export function unitFileOf(name: string): string {
  return `etc/systemd/system/${name.replace(/@[^.]*\./, '@.')}`;
}

function isUnitFile(path: string): boolean {
  return path.startsWith('etc/systemd/system/');
}

/** Returns the file with its text; undefined if it is correct. */
async function compare(host: Host, file: ManagedFile): Promise<ExpectedFile | undefined> {
  const current = await readText(host, file.path);
  const found = current === undefined ? undefined : await statIfPresent(host, file.path);
  const before = found === undefined ? undefined : found.mode & 0o7777;
  const isEdited = typeof file.text === 'function';
  const text = typeof file.text === 'function' ? file.text(current) : file.text;
  const mode = file.mode ?? (isEdited ? (before ?? 0o644) : 0o644);
  if (text === undefined) return current === undefined ? undefined : { ...file, text, mode };
  const isSame =
    current === text && before === mode && (file.gid === undefined || found?.gid === file.gid);
  return isSame ? undefined : { ...file, text, mode };
}

async function isRunning(host: Host, { name, restart, mayWait }: ManagedUnit): Promise<boolean> {
  if (restart !== undefined && !(await isActive(host, name))) {
    if (!mayWait) return false;
    const { stdout } = await host.run('systemctl', ['show', '--property=ActiveState', name]);
    if (!stdout.includes('=activating')) return false;
  }
  return await isEnabled(host, name);
}

async function presentOf(host: Host, { files = [] }: Service): Promise<string[]> {
  const texts = await Promise.all(files.map(({ path }) => readText(host, path)));
  return files.map(({ path }) => path).filter((_, index) => texts[index] !== undefined);
}

/** Reports whether a unit is active. */
export async function isActive(host: Host, unit: string): Promise<boolean> {
  return await host.succeeds('systemctl', ['is-active', '--quiet', unit]);
}

/** Reports whether a unit is enabled at boot. */
export async function isEnabled(host: Host, unit: string): Promise<boolean> {
  return await host.succeeds('systemctl', ['is-enabled', '--quiet', unit]);
}

/** Enables a unit at boot if needed. `systemctl enable` takes half a second with a SysV script. */
export async function ensureEnabled(host: Host, unit: string): Promise<void> {
  if (!(await isEnabled(host, unit))) await host.run('systemctl', ['enable', '--quiet', unit]);
}
