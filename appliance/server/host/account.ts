import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';

/** A system account, as in passwd(5). */
export interface Account {
  readonly user: string;
  readonly uid: number;
  readonly gid: number;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Absolute path of the login shell. */
  readonly shell: string;
}

/** Returns the account of a user; undefined if the user does not exist. */
export async function findAccount(host: Host, user: string): Promise<Account | undefined> {
  const { code, stdout } = await host.run('getent', ['passwd', user], { accept: [2] });
  return code === 0 ? parseAccount(stdout.trimEnd()) : undefined;
}

/**
 * Returns the account of a user that must exist.
 * @throws LandfallError STATE_INVALID
 */
export async function readAccount(host: Host, user: string): Promise<Account> {
  const account = await findAccount(host, user);
  if (account) return account;
  throw new LandfallError('STATE_INVALID', `the account ${user} does not exist on this server`, {
    hint: {
      en: 'Run `sudo landfall first-boot`, which creates it.',
      zh: '运行 `sudo landfall first-boot`，它会创建账户。',
    },
  });
}

/** Returns the ID of a group; undefined if there is no such group. */
export async function groupId(host: Host, name: string): Promise<number | undefined> {
  const { stdout } = await host.run('getent', ['group', name], { accept: [2] });
  const id = stdout.split(':')[2];
  return id ? Number(id) : undefined;
}

/** Returns all accounts of the system. */
export async function allAccounts(host: Host): Promise<Account[]> {
  const { stdout } = await host.run('getent', ['passwd']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(parseAccount);
}

/** Returns the path of a file in the home folder, relative to the root folder. */
export function homePath({ home }: Account, name: string): string {
  return `${home.replace(/^\/+/, '')}/${name}`;
}

function parseAccount(line: string): Account {
  const [user = '', , uid, gid, , home = '', shell = ''] = line.split(':');
  return { user, uid: Number(uid), gid: Number(gid), home, shell: shell || '/bin/sh' };
}
