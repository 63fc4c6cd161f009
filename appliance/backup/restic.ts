import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { backupFolder } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { runSealed, stopSealed } from '../host/sealed-unit.ts';
import { backupKeys, keysInside, type Repository } from './repository.ts';

/** Only options of restic 0.14 (Debian 12) are used. */

const cacheFolder = 'var/cache/landfall/restic';
/** Contains secrets; removed after each run. */
const environmentFile = 'run/landfall/restic.env';
const unit = 'landfall-restic.service';

interface ResticOptions {
  /** Files and folders of this server by their path for restic. They must exist. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Time limit in seconds. restic alone waits up to 15 minutes for a folder that has vanished. */
  readonly seconds?: number;
}

/**
 * Runs restic in a unit that sees its sources, its keys and its repository, and nothing else: it reads
 * what others may have changed in the repository. SIGINT is the signal after which it removes its lock.
 * @returns what it prints
 * @throws LandfallError BACKUP_…, DISK_FULL
 */
export async function restic(
  host: Host,
  repository: Repository,
  args: readonly string[],
  { sources = {}, seconds = 600 }: ResticOptions = {},
): Promise<string> {
  const { url, options, connect } = repository;
  const common = ['--cache-dir', '/cache', '--password-file', `${keysInside}/${backupKeys.server}`];
  const command = ['/usr/bin/restic', '-r', url, ...options, ...common, ...args];
  try {
    return await runInUnit(host, repository, command, { sources, seconds });
  } catch (error) {
    if (!connect || !(error instanceof LandfallError) || error.code !== 'BACKUP_FAILED')
      throw error;
    // restic may end before it has printed what ssh says.
    await runInUnit(host, repository, connect, { sources: {}, seconds: 60 });
    throw error;
  }
}

async function runInUnit(
  host: Host,
  repository: Repository,
  command: readonly string[],
  { sources, seconds }: Required<ResticOptions>,
): Promise<string> {
  const { environment, folder } = repository;
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
    'BindReadOnlyPaths=-/etc/resolv.conf -/run/systemd/resolve -/etc/ssl',
    `BindReadOnlyPaths=${host.path(backupFolder)}:${keysInside}`,
    `BindPaths=${host.path(cacheFolder)}:/cache`,
    ...(folder ? [`BindPaths=${folder.join(':')}`] : []),
    ...Object.entries(sources).map(([inside, path]) => `BindReadOnlyPaths=${path}:${inside}`),
    `EnvironmentFile=${host.path(environmentFile)}`,
    'CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER',
    'KillSignal=SIGINT',
    'TimeoutStopSec=20',
    'Nice=10',
    'IOSchedulingClass=idle',
  ];
  try {
    const onLine = giveUp();
    return (await runSealed(host, { unit, properties, command, seconds, onLine })).stdout;
  } catch (cause) {
    // systemd-run alone ends after an exception of onLine.
    await stopSealed(host, unit);
    throw failureOf(cause, repository);
  } finally {
    await rm(host.path(environmentFile), { force: true });
  }
}

/** restic tries again after growing delays for 15 minutes; so many take about 40 seconds. */
const tries = 6;

/**
 * Returns an observer of lines that ends restic 0.18 when the first access to the repository has failed
 * for good: it retries even after a wrong secret, and its last lines do not say why.
 */
function giveUp(): (line: string) => void {
  let count = 0;
  return (line) => {
    const [, reason] = /<config\/>\) returned error, retrying after [^ ]+: (.*)/.exec(line) ?? [];
    if (reason === undefined) return;
    count += 1;
    const isFinal = failures.some(([text, code]) => code !== 'BACKUP_FAILED' && text.test(reason));
    if (count < tries && !isFinal) return;
    const message = `restic failed ${count} times`;
    throw new LandfallError('COMMAND_FAILED', message, { problems: [{ message: reason }] });
  };
}

type Failure = readonly [
  text: RegExp,
  code:
    | 'BACKUP_FAILED'
    | 'BACKUP_ACCESS'
    | 'BACKUP_MISSING'
    | 'BACKUP_PASSWORD'
    | 'BACKUP_DAMAGED'
    | 'DISK_FULL',
  message: string,
  hint: string,
];

/** What restic 0.14 to 0.18, ssh and S3 servers print. Exit codes differ between versions. */
const failures: readonly Failure[] = [
  // First: restic that is ended prints other reasons, such as a wrong password.
  [
    /context canceled|signal \w+ received/,
    'BACKUP_FAILED',
    'did not respond in time',
    'Check the network and the target, then run `sudo landfall backup run`.',
  ],
  [
    /wrong password or no key found/,
    'BACKUP_PASSWORD',
    'has another password',
    'It belongs to another server. Use another folder.',
  ],
  [
    /Host key verification failed/,
    'BACKUP_ACCESS',
    'has another host key than before',
    'Ask who runs it. If the change is right, run `sudo landfall backup init` again.',
  ],
  [
    /Permission denied \(|SignatureDoesNotMatch|InvalidAccessKeyId|access ?denied|request signature we calculated|access key id/i,
    'BACKUP_ACCESS',
    'rejects the login of this server',
    'Run `sudo landfall backup init`: it shows the key of this server for SFTP. For S3, set both secrets again with `sudo landfall secret set`.',
  ],
  [
    /x509: /,
    'BACKUP_ACCESS',
    'shows a certificate that this server does not trust',
    'Add its authority to `ca` in the site. Otherwise the connection may be intercepted.',
  ],
  [
    /dial tcp|timeout|no such host|connection re(?:fused|set)|no route to host/,
    'BACKUP_FAILED',
    'cannot be reached',
    'Check the address and the network, then run `sudo landfall backup run`.',
  ],
  [
    /unable to open config file|Is there a repository|specified bucket does not exist/,
    'BACKUP_MISSING',
    'has no backups of this server',
    'Check the path, and that a disk is mounted. To begin again, run `sudo landfall backup init`.',
  ],
  [
    /no space left on device|quota exceeded/i,
    'DISK_FULL',
    'is full',
    'Free some space there, or keep fewer backups: `backup.keep` in the site.',
  ],
  [
    /repository contains errors|ciphertext verification failed|invalid data returned|not found in repository/,
    'BACKUP_DAMAGED',
    'is damaged',
    'See docs/backup.md, "A damaged repository". The other targets are not affected.',
  ],
];

function failureOf(cause: unknown, { name }: Repository): LandfallError {
  const { problems = [], message } = cause as LandfallError;
  const texts = problems.map((problem) => problem.message);
  const found = failures.find(([text]) => texts.some((line) => text.test(line)));
  // restic 0.18 prints its errors as JSON, if it prints JSON.
  const details = texts.map((text) => {
    const [, inside = text] = /^\{.*"message":"(.*?)(?:"\}|$)/.exec(text) ?? [];
    return { message: plainLine(inside, 500) };
  });
  if (found) {
    const [, code, what, hint] = found;
    return new LandfallError(code, `${name} ${what}`, { hint, problems: details, cause });
  }
  const isLate = /timed out/.test(message);
  return new LandfallError(
    'BACKUP_FAILED',
    isLate ? `${name} did not respond in time` : `restic failed at ${name}`,
    {
      hint: 'Check the network and the target, then run `sudo landfall backup run`.',
      problems: details,
      cause,
    },
  );
}

function folderMissing(path: string): LandfallError {
  return new LandfallError('BACKUP_MISSING', `${path} does not exist`, {
    hint: 'Mount the disk, or create the folder if it is meant to be on this disk.',
  });
}
