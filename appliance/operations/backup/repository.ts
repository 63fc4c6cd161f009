import { program } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { backupFolder, currentRelease, nodeBinary } from '#contract/server-paths.ts';
import {
  type BackupTarget,
  bucketOf,
  bucketSecrets,
  targetText,
} from '#contract/site/backup/targets.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { withPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { isExempt } from '#http/no-proxy.ts';
import { sshProxyVariable } from '#probe/exchange/ssh-through-proxy.ts';
import { exemptions, goRouteEnvironment } from '../../server/host/download/route-environment.ts';
import type { Host } from '../../server/host/host.ts';
import { readSecret } from '../../server/host/secret-file.ts';

/** Files in the folder of the keys. */
export const backupKeys = {
  /** The password of this server for its repositories. */
  server: 'server-key',
  /** The password of the person, for another machine. */
  person: 'password',
  /** The next password of the person, while it replaces the present one. */
  next: 'password.new',
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
  /** Prints the space on the file system, and what it reads. */
  readonly space?: { readonly command: readonly string[]; readonly input: string };
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
      const connect = [...sshCommand(target, site), '-s', 'sftp'];
      const words = connect.map(quoted).join(' ');
      const options = ['-o', `sftp.command=${words}`];
      const url = `sftp:${target.user}@${target.host}:${target.path}`;
      const command = ['/usr/bin/sftp', '-b', '-', '-D', words];
      const space = { command, input: `df ${target.path}\n` };
      return { name, url, options, environment: sshEnvironment(site), connect, space };
    }
    case 's3': {
      const environment = {
        AWS_ACCESS_KEY_ID: await bucketSecret(host, bucketSecrets.id),
        AWS_SECRET_ACCESS_KEY: await bucketSecret(host, bucketSecrets.secret),
        ...goRouteEnvironment(site, 'host'),
      };
      return { name, ...bucketRepository(target), environment };
    }
  }
}

/** Returns the URL of a bucket for restic, which has it in the path always, and how requests address it. */
function bucketRepository(
  target: Extract<BackupTarget, { kind: 's3' }>,
): Pick<Repository, 'url' | 'options'> {
  const found = bucketOf(target);
  if (!found) {
    throw new LandfallError('CONFIG_INVALID', `${targetText(target)} has no bucket`, {
      hint: {
        en: 'Correct `backup.to` with `sudo landfall site edit`.',
        zh: '用 `sudo landfall site edit` 修改 `backup.to`。',
      },
    });
  }
  const { endpoint, bucket, prefix, region, isVirtualHost } = found;
  const options = [
    ...(isVirtualHost ? ['s3.bucket-lookup=dns'] : []),
    ...(region === undefined ? [] : [`s3.region=${region}`]),
  ];
  return {
    url: `s3:${[endpoint, bucket, prefix].filter(Boolean).join('/')}`,
    options: options.flatMap((option) => ['-o', option]),
  };
}

/** Returns ssh with the key of this server and the pinned key of the other one, and no other settings. */
function sshCommand(target: SftpTarget, site: Pick<Site, 'route'>): string[] {
  const known = `UserKnownHostsFile=${keysInside}/${backupKeys.knownHosts}`;
  const key = ['-i', `${keysInside}/${backupKeys.ssh}`, '-o', 'IdentitiesOnly=yes'];
  const strict = ['-o', 'StrictHostKeyChecking=yes', '-o', known];
  return ['/usr/bin/ssh', ...sshOptions(target, site), ...key, ...strict, loginOf(target)];
}

export type SftpTarget = Extract<BackupTarget, { kind: 'sftp' }>;

/** Returns the options of ssh for any connection to a target: no settings of users, and the route of the site. */
export function sshOptions(
  { host, port }: SftpTarget,
  site: Pick<Site, 'route'>,
): readonly string[] {
  const options = [
    'BatchMode=yes',
    'GlobalKnownHostsFile=/dev/null',
    'ConnectTimeout=30',
    'ServerAliveInterval=30',
    'ServerAliveCountMax=4',
    ...(sshProxy(site, host) === undefined ? [] : [`ProxyCommand=${proxyCommand}`]),
  ];
  return ['-F', 'none', '-p', `${port}`, ...options.flatMap((option) => ['-o', option])];
}

/** Returns user and host as ssh takes them. */
export function loginOf({ user, host }: SftpTarget): string {
  return `${user}@${host}`;
}

const release = `/${currentRelease}`;
const proxyCommand = `${release}/${nodeBinary} ${release}/${program} ssh-through-proxy %h %p`;

/** Returns the environment of ssh: the proxy, which may have a password. */
export function sshEnvironment(site: Pick<Site, 'route'>): Readonly<Record<string, string>> {
  const proxy = sshProxy(site);
  return proxy === undefined ? {} : { [sshProxyVariable]: proxy };
}

/** @param host undefined: any host @returns the proxy of the route; undefined for a direct connection */
function sshProxy(site: Pick<Site, 'route'>, host?: string): string | undefined {
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return undefined;
  const isDirect = host !== undefined && isExempt(new URL(`ssh://${host}`), exemptions({ route }));
  return isDirect ? undefined : withPort(route.url);
}

/** restic and sftp split the command as a shell does. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`;
}

async function bucketSecret(host: Host, name: string): Promise<string> {
  const value = await readSecret(host, name);
  if (value !== undefined) return value;
  throw new LandfallError('BACKUP_ACCESS', `the secret ${name} is not set`, {
    hint: {
      en: `Run: sudo landfall secret set ${name}`,
      zh: `运行：sudo landfall secret set ${name}`,
    },
  });
}

/** Returns the path of a key file, relative to the root folder. */
export function keyFile(name: keyof typeof backupKeys): string {
  return `${backupFolder}/${backupKeys[name]}`;
}
