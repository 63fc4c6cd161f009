import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { backupFolder } from '#contract/server-paths.ts';
import type { BackupTarget } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { runSealed, stopSealed } from '../../server/host/sealed-unit.ts';
import { guardDisk } from './disk-guard.ts';
import { backupKeys, keysInside, type Repository, repositoryOf } from './repository.ts';
import { failureOf, observeLines } from './restic-failure.ts';

/** Only options of restic 0.14 (Debian 12) are used. */

const cacheFolder = 'var/cache/landfall/restic';
/** Contains secrets; removed after each run. */
const environmentFile = 'run/landfall/restic.env';
const unit = 'landfall-restic.service';
/** Bytes that stay free while restic writes files of a backup. */
const reserve = 256 << 20;

interface ResticOptions {
  /** Files and folders of this server by their path for restic. They must exist. */
  readonly sources?: Readonly<Record<string, string>>;
  /** A folder of this server that restic writes, with its place for restic. */
  readonly target?: readonly [path: string, inside: string] | undefined;
  /** Time limit in seconds. restic alone waits up to 15 minutes for a folder that has vanished. */
  readonly seconds?: number;
}

/** Whose password opens a repository: the server's, or the person's on a new server. */
type Key = 'server' | 'person' | 'next';

/** restic at one repository. */
export class Restic {
  readonly host: Host;
  readonly repository: Repository;
  readonly #key: Key;

  constructor(host: Host, repository: Repository, key: Key = 'server') {
    this.host = host;
    this.repository = repository;
    this.#key = key;
  }

  /** @throws LandfallError BACKUP_ACCESS if a secret of the target is not set */
  static async at(
    { host, site }: { readonly host: Host; readonly site: Pick<Site, 'route'> },
    target: BackupTarget,
    key?: Key,
  ): Promise<Restic> {
    return new Restic(host, await repositoryOf(host, site, target), key);
  }

  /** The name of the repository, for people. */
  get name(): string {
    return this.repository.name;
  }

  /** Returns restic with another password. */
  with(key: Key): Restic {
    return new Restic(this.host, this.repository, key);
  }

  /**
   * Runs restic in a unit that sees its sources, its keys and its repository, and nothing else: it reads
   * what others may have changed in the repository. SIGINT is the signal after which it removes its lock.
   * @returns what it prints
   * @throws LandfallError BACKUP_…, DISK_FULL
   */
  async run(
    args: readonly string[],
    { sources = {}, target, seconds = 600 }: ResticOptions = {},
  ): Promise<string> {
    const { host, repository } = this;
    const { url, options, connect } = repository;
    const password = `${keysInside}/${backupKeys[this.#key]}`;
    const common = ['--cache-dir', '/cache', '--password-file', password];
    const command = ['/usr/bin/restic', '-r', url, ...options, ...common, ...args];
    const run = () => runInUnit(host, repository, command, { sources, target, seconds });
    try {
      return await run();
    } catch (error) {
      if (!connect || !(error instanceof LandfallError) || error.code !== 'BACKUP_FAILED')
        throw error;
      if (error.problems.some(({ message }) => limited.test(message))) {
        await sleep(limitMs);
        return await run();
      }
      // restic may end before it has printed what ssh says.
      await runInUnit(host, repository, connect, { seconds: 60 });
      throw error;
    }
  }

  /** Removes the locks of a run that was killed. */
  async unlock(...options: string[]): Promise<void> {
    await this.run(['unlock', ...options], { seconds: 120 });
  }

  /** Reads the settings of the repository: its password is right. @throws LandfallError BACKUP_MISSING, … */
  async open(): Promise<void> {
    await this.run(['cat', 'config', '--no-lock'], { seconds: 120 });
  }

  /** Returns a list as JSON. @param what is listed @throws LandfallError BACKUP_… */
  async list<Schema extends z.ZodType>(
    what: string,
    schema: Schema,
    args: readonly string[],
    options: ResticOptions = {},
  ): Promise<z.output<Schema>> {
    const printed = await this.run([...args, '--json', '--no-lock'], options);
    const found = schema.safeParse(parseJson(Buffer.from(printed)));
    if (found.success) return found.data;
    throw new LandfallError('BACKUP_FAILED', `restic printed no list of ${what} at ${this.name}`, {
      hint: {
        en: 'Report this bug with the output of `restic version`.',
        zh: '请附上 `restic version` 的输出报告这个缺陷。',
      },
      retriable: false,
    });
  }
}

/** What ssh prints if a firewall limits new connections: UFW's `limit` allows five in 30 seconds. */
const limited = /ssh: connect to host .*: Connection (?:refused|timed out)/;
const limitMs = 31_000;

interface UnitOptions extends ResticOptions {
  readonly input?: string;
}

/** Runs a program beside a repository, as restic does. @throws LandfallError BACKUP_…, DISK_FULL */
export async function runInUnit(
  host: Host,
  repository: Repository,
  command: readonly string[],
  { sources = {}, target, seconds = 600, input }: UnitOptions,
): Promise<string> {
  const { environment, folder, connect } = repository;
  if (folder && !existsSync(folder[0])) throw folderMissing(folder[0]);
  await mkdir(host.path(cacheFolder), { recursive: true, mode: 0o700 });
  const lines = Object.entries({
    ...environment,
    HOME: '/cache',
    TMPDIR: '/cache',
    LC_ALL: 'C.UTF-8',
  });
  const text = lines.map(([name, value]) => `${name}='${value}'\n`).join('');
  await writeText(host, environmentFile, text, { mode: 0o600 });
  const properties = [
    'BindReadOnlyPaths=-/bin -/etc/passwd -/etc/hosts -/etc/nsswitch.conf -/etc/localtime',
    // ssh uses the program of the release to go through a proxy.
    ...(connect ? ['BindReadOnlyPaths=/opt/landfall'] : []),
    'BindReadOnlyPaths=-/etc/resolv.conf -/run/systemd/resolve -/etc/ssl',
    `BindReadOnlyPaths=${host.path(backupFolder)}:${keysInside}`,
    `BindPaths=${host.path(cacheFolder)}:/cache`,
    ...[folder, target].flatMap((pair) => (pair ? [`BindPaths=${pair.join(':')}`] : [])),
    ...Object.entries(sources).map(([inside, path]) => `BindReadOnlyPaths=${path}:${inside}`),
    `EnvironmentFile=${host.path(environmentFile)}`,
    'CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER',
    'KillSignal=SIGINT',
    'TimeoutStopSec=20',
    'Nice=10',
    'IOSchedulingClass=idle',
  ];
  const known: string[] = [];
  try {
    const onLine = observeLines(known);
    const run = () => runSealed(host, { unit, properties, command, seconds, onLine, input });
    if (!target) return (await run()).stdout;
    const path = target[0].slice(host.root.length);
    const end = () => stopSealed(host, unit);
    return (await guardDisk(host, { path, reserve, end }, run)).stdout;
  } catch (cause) {
    // systemd-run alone ends after an exception of onLine.
    await stopSealed(host, unit);
    if (cause instanceof LandfallError && cause.code === 'DISK_FULL') throw cause;
    throw failureOf(cause, repository, known);
  } finally {
    await rm(host.path(environmentFile), { force: true });
  }
}

/** Ends restic that a killed program has left. */
export async function stopRestic(host: Host): Promise<void> {
  await stopSealed(host, unit);
}

function folderMissing(path: string): LandfallError {
  return new LandfallError('BACKUP_MISSING', `${path} does not exist`, {
    hint: {
      en: 'Mount the disk, or create the folder if it is meant to be on this disk.',
      zh: '挂载磁盘；如果就放在这块磁盘上，请创建文件夹。',
    },
  });
}
