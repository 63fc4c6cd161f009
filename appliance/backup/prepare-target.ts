import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { backupKeys, keyFile, keysInside, type Repository, repositoryOf } from './repository.ts';
import { restic } from './restic.ts';
import { expectOwn } from './snapshots.ts';
import { readBackupState, writeBackupState } from './state.ts';

type SftpTarget = Extract<BackupTarget, { kind: 'sftp' }>;

/** A host key that an SSH server shows. */
interface HostKey {
  /** A line of known_hosts. */
  readonly line: string;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
}

/** Returns the public key of this server for an SFTP server; makes the pair if it is missing. */
export async function sshPublicKey(host: Host): Promise<string> {
  const path = keyFile('ssh');
  if ((await readText(host, path)) === undefined) {
    const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'landfall-backup', '-f', host.path(path)];
    await host.run('ssh-keygen', args);
  }
  return (await readText(host, `${path}.pub`))?.trim() ?? '';
}

/** Returns the key that an SSH server shows now. @throws LandfallError BACKUP_FAILED */
export async function scanHostKey(host: Host, { host: name, port }: SftpTarget): Promise<HostKey> {
  const args = ['-T', '20', '-p', `${port}`, '-t', 'ed25519,ecdsa,rsa', name];
  const { stdout } = await host.run('ssh-keyscan', args, { seconds: 60, accept: [1] });
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const line = lines.find((each) => each.includes('ed25519')) ?? lines[0];
  if (line === undefined) {
    throw new LandfallError('BACKUP_FAILED', `${name} does not respond as an SSH server`, {
      hint: 'Check the host name, the port and the route.',
      retriable: true,
    });
  }
  const listed = await host.run('ssh-keygen', ['-l', '-f', '-'], { input: `${line}\n` });
  return { line, fingerprint: /SHA256:\S+/.exec(listed.stdout)?.[0] ?? '' };
}

/** Returns whether this host key is the pinned one. */
export async function isPinned(host: Host, { line }: HostKey): Promise<boolean> {
  return (await readText(host, keyFile('knownHosts')))?.trim() === line;
}

/** Pins the key of the SSH server: another one is rejected from now on. */
export async function pinHostKey(host: Host, { line }: HostKey): Promise<void> {
  await writeText(host, keyFile('knownHosts'), `${line}\n`, { mode: 0o600 });
}

const keysSchema = z.array(z.object({ userName: z.string() }));
/** The user of the person's key in the list of restic. */
const person = 'person';

/**
 * Creates the repository of a target with two keys, that of this server and that of the person; continues
 * with an existing one of this server. Idempotent.
 * @returns whether the repository is new
 * @throws LandfallError BACKUP_PASSWORD, BACKUP_ACCESS for a repository of another server; BACKUP_FAILED
 */
export async function prepareTarget(
  host: Host,
  site: Pick<Site, 'route'>,
  target: BackupTarget,
): Promise<boolean> {
  const repository = await repositoryOf(host, site, target);
  const isNew = !(await exists(host, repository));
  if (isNew) await restic(host, repository, ['init']);
  else await expectOwn(host, repository);
  const printed = await restic(host, repository, ['key', 'list', '--json', '--no-lock']);
  const keys = keysSchema.safeParse(parseJson(Buffer.from(printed)));
  if (!keys.data?.some(({ userName }) => userName === person)) {
    const file = `${keysInside}/${backupKeys.person}`;
    const names = ['--user', person, '--host', person];
    await restic(host, repository, ['key', 'add', '--new-password-file', file, ...names]);
  }
  const state = await readBackupState(host);
  const name = targetText(target);
  const known = state.targets[name];
  if (!known || isNew) {
    const fresh = { lastRun: null, lastGood: null, lastCheck: null, failingSince: null };
    const targets = { ...state.targets, [name]: { created: new Date().toISOString(), ...fresh } };
    await writeBackupState(host, { ...state, targets });
  }
  return isNew;
}

async function exists(host: Host, repository: Repository): Promise<boolean> {
  try {
    await restic(host, repository, ['cat', 'config', '--no-lock'], { seconds: 120 });
    return true;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'BACKUP_MISSING') return false;
    throw error;
  }
}
