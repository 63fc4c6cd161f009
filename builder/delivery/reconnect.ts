import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import type { SshConnection } from '../ssh/connection.ts';

/** Pauses before the attempts, in milliseconds: ten minutes in total. */
const pauses = [500, 2000, 5000, 10_000, ...Array.from({ length: 39 }, () => 15_000)];

/**
 * Opens a lost connection again. During the setup the login of before may stop working, because only
 * the administrator may log in from then on; so both are tried.
 * @param logins opens a connection as each possible user, in this order
 * @throws LandfallError the last error, after ten minutes or if it does not go away
 */
export async function reconnect(
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
