import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { becomeRoot, type RootShell } from '../ssh/root.ts';

/** How to log in again. */
interface Reconnection {
  /** Open a connection, each as another user if the first one may stop working. */
  readonly logins: ReadonlyArray<() => Promise<SshConnection>>;
  readonly note: (text: string) => void;
}

/**
 * Runs an action on a server until it returns a value. After a lost connection, connects again and runs
 * the action again.
 * @param action returns undefined if the connection is lost
 * @throws LandfallError SSH_…, and those of the action
 */
export async function throughCuts<T>(
  first: RootShell,
  reconnection: Reconnection,
  action: (root: RootShell) => Promise<T | undefined>,
): Promise<T> {
  for (let root = first; ; root = await unlessLostAgain(reconnection)) {
    await using connection = root.connection;
    const result = await unlessLost({ connection }, () => action(root));
    if (result !== undefined) return result;
  }
}

async function unlessLostAgain({ logins, note }: Reconnection): Promise<RootShell> {
  for (;;) {
    const connection = await reconnect(logins, note);
    const root = await unlessLost({ connection }, () => becomeRoot(connection));
    if (root !== undefined) return root;
  }
}

/** Runs an action; undefined if it fails because the connection is lost. */
async function unlessLost<T>(
  { connection }: Pick<RootShell, 'connection'>,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (await connection.answers()) throw error;
    return undefined;
  }
}

/** Pauses before the attempts, in milliseconds: ten minutes in total. */
const pauses = [500, 2000, 5000, 10_000, ...Array.from({ length: 39 }, () => 15_000)];

/**
 * Opens a lost connection again. During the setup the login of before may stop working, because only
 * the administrator may log in from then on; so both are tried.
 * @throws LandfallError the last error, after ten minutes or if it does not go away
 */
async function reconnect(
  logins: ReadonlyArray<() => Promise<SshConnection>>,
  note: (text: string) => void,
): Promise<SshConnection> {
  note('connection lost; connecting again');
  let failure: unknown;
  for (const pause of pauses) {
    await sleep(pause);
    for (const login of logins) {
      try {
        return await login();
      } catch (error) {
        if (!(error instanceof LandfallError) || error.code === 'SSH_HOST_KEY') throw error;
        failure = error;
      }
    }
  }
  throw failure;
}
