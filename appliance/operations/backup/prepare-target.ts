import { LandfallError } from '#contract/errors.ts';
import { backupFolder } from '#contract/server-paths.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { makeFolder, readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { newTarget, storedBackups } from '../../server/records/backups.ts';
import { keyFile, loginOf, type SftpTarget, sshEnvironment, sshOptions } from './repository.ts';
import { addKey, listKeys, person } from './repository-keys.ts';
import { Restic } from './restic.ts';
import { expectOwn } from './snapshots.ts';

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
    await makeFolder(host, backupFolder, { mode: 0o700 });
    const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'landfall-backup', '-f', host.path(path)];
    await host.run('ssh-keygen', args);
  }
  return (await readText(host, `${path}.pub`))?.trim() ?? '';
}

/**
 * Returns the key that an SSH server shows now, through the route of the site: ssh itself writes it down, and
 * logs in with nothing.
 * @throws LandfallError BACKUP_FAILED
 */
export async function scanHostKey(
  host: Host,
  site: Pick<Site, 'route'>,
  target: SftpTarget,
): Promise<HostKey> {
  const seen = 'run/landfall/seen-host-key';
  await removeFile(host, seen);
  const options = [
    'StrictHostKeyChecking=accept-new',
    'HashKnownHosts=no',
    `UserKnownHostsFile=${host.path(seen)}`,
    'PreferredAuthentications=none',
  ].flatMap((option) => ['-o', option]);
  const args = [...sshOptions(target, site), ...options, loginOf(target), 'true'];
  const env = sshEnvironment(site);
  const { stderr } = await host.run('ssh', args, { seconds: 60, accept: [255], env });
  const line = (await readText(host, seen))?.trim() ?? '';
  await removeFile(host, seen);
  if (line === '') {
    throw new LandfallError('BACKUP_FAILED', `${target.host} does not respond as an SSH server`, {
      hint: {
        en: 'Check the host name, the port and the route: a proxy must allow connections to that port.',
        zh: '检查主机名、端口和线路：代理必须允许连接这个端口。',
      },
      problems: stderr
        .split('\n')
        .slice(-5)
        .flatMap((text) => (text === '' ? [] : [{ message: plainLine(text, 300) }])),
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
  const restic = await Restic.at({ host, site }, target);
  const isNew = !(await exists(restic));
  if (isNew) await restic.run(['init']);
  else await expectOwn(restic);
  const keys = await listKeys(restic);
  if (!keys.some(({ userName }) => userName === person)) await addKey(restic, 'person');
  const state = await storedBackups.read(host);
  const name = targetText(target);
  const known = state.targets[name];
  if (!known || isNew) {
    const targets = { ...state.targets, [name]: newTarget() };
    await storedBackups.write(host, { ...state, targets });
  }
  return isNew;
}

async function exists(restic: Restic): Promise<boolean> {
  try {
    await restic.open();
    return true;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'BACKUP_MISSING') return false;
    throw error;
  }
}
