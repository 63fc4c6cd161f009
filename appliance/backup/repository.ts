import { LandfallError } from '#contract/errors.ts';
import { backupFolder } from '#contract/server-paths.ts';
import { type BackupTarget, bucketSecrets, targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { goRouteEnvironment } from '../host/download/route-environment.ts';
import type { Host } from '../host/host.ts';
import { readSecret } from '../host/secret-file.ts';

/** Files in the folder of the keys. */
export const backupKeys = {
  /** The password of this server for its repositories. */
  server: 'server-key',
  /** The password of the person, for another machine. */
  person: 'password',
  /** The SSH key of this server for an SFTP server, and the pinned key of that server. */
  ssh: 'id_ed25519',
  knownHosts: 'known_hosts',
} as const;

/** Where the folder of the keys is for restic. */
export const keysInside = '/keys';

/** A repository of restic, and what the program needs to reach it. */
export interface Repository {
  /** For people. */
  readonly name: string;
  /** As restic writes it. */
  readonly url: string;
  readonly options: readonly string[];
  /** Contains secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** A folder of this server that restic writes, with its place for restic. */
  readonly folder?: readonly [path: string, inside: string];
  /** Connects and ends, without restic. */
  readonly connect?: readonly string[];
}

/**
 * Returns the repository of a target.
 * @throws LandfallError BACKUP_ACCESS if a secret of it is not set
 */
export async function repositoryOf(
  host: Host,
  site: Pick<Site, 'route'>,
  target: BackupTarget,
): Promise<Repository> {
  const name = targetText(target);
  switch (target.kind) {
    case 'folder': {
      const inside = '/repository';
      const folder = [host.path(target.path), inside] as const;
      return { name, url: inside, options: [], environment: {}, folder };
    }
    case 'sftp': {
      const connect = [...sshCommand(target), '-s', 'sftp'];
      const options = ['-o', `sftp.command=${connect.join(' ')}`];
      const url = `sftp:${target.user}@${target.host}:${target.path}`;
      return { name, url, options, environment: {}, connect };
    }
    case 's3': {
      const [id, secret] = await Promise.all(
        [bucketSecrets.id, bucketSecrets.secret].map((each) => bucketSecret(host, each)),
      );
      const environment = {
        AWS_ACCESS_KEY_ID: id ?? '',
        AWS_SECRET_ACCESS_KEY: secret ?? '',
        ...goRouteEnvironment(site, 'host'),
      };
      return { name, url: `s3:${target.url}`, options: [], environment };
    }
  }
}

/** Returns ssh with the key of this server and the pinned key of the other one, and no other settings. */
function sshCommand({ host, port, user }: Extract<BackupTarget, { kind: 'sftp' }>): string[] {
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${keysInside}/${backupKeys.knownHosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'ConnectTimeout=30',
    'ServerAliveInterval=30',
    'ServerAliveCountMax=4',
  ];
  return [
    ...['/usr/bin/ssh', '-F', 'none', '-i', `${keysInside}/${backupKeys.ssh}`, '-p', `${port}`],
    ...options.flatMap((option) => ['-o', option]),
    `${user}@${host}`,
  ];
}

async function bucketSecret(host: Host, name: string): Promise<string> {
  const value = await readSecret(host, name);
  if (value !== undefined) return value;
  throw new LandfallError('BACKUP_ACCESS', `the secret ${name} is not set`, {
    hint: `Run: sudo landfall secret set ${name}`,
  });
}

/** Returns the path of a key file, relative to the root folder. */
export function keyFile(name: keyof typeof backupKeys): string {
  return `${backupFolder}/${backupKeys[name]}`;
}
