import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';

/** An account of the system, as passwd(5) has it. */
export interface Account {
  readonly user: string;
  readonly uid: number;
  readonly gid: number;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Absolute path of the login shell. */
  readonly shell: string;
}

/** The account of a user, or nothing when there is none. */
export async function findAccount(host: Host, user: string): Promise<Account | undefined> {
  const { code, stdout } = await host.run('getent', ['passwd', user], { accept: [2] });
  return code === 0 ? parseAccount(stdout.trimEnd()) : undefined;
}

/**
 * The account of a user that must be there.
 * @throws LandfallError STATE_INVALID
 */
export async function readAccount(host: Host, user: string): Promise<Account> {
  const account = await findAccount(host, user);
  if (account) return account;
  throw new LandfallError('STATE_INVALID', `there is no account ${user} on this server`, {
    hint: 'The first boot makes it. Run: sudo landfall first-boot',
  });
}

/** Every account of the system. */
export async function allAccounts(host: Host): Promise<Account[]> {
  const { stdout } = await host.run('getent', ['passwd']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(parseAccount);
}

/** A file in the home folder, as paths from the root folder are given. */
export function homePath({ home }: Account, name: string): string {
  return `${home.replace(/^\/+/, '')}/${name}`;
}

function parseAccount(line: string): Account {
  const [user = '', , uid, gid, , home = '', shell = ''] = line.split(':');
  return { user, uid: Number(uid), gid: Number(gid), home, shell: shell || '/bin/sh' };
}
