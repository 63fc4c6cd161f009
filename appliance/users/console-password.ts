import { LandfallError } from '#contract/errors.ts';
import { findAccount } from '../host/account.ts';
import type { Host } from '../host/host.ts';
import { makeSecret, readSecret, writeSecret } from '../host/secret-file.ts';
import type { Step } from './step.ts';

/** The name of the secret; `landfall credentials` shows it. */
export const consolePasswordName = 'console-password';

/**
 * A provider's console often types with another keyboard layout than the one in front of its user.
 * These letters are in the same place on American, German and French keyboards, and none looks like
 * another. 20 of 17 letters: 81 bits.
 */
const shape = { length: 20, alphabet: 'bcdefghjknprstuvx' };

/**
 * A password for the provider's console, where no key helps. A password that the owner set later
 * stays.
 */
export const consolePassword: Step = {
  async todo({ host, site: { admin } }) {
    const made = await readSecret(host, consolePasswordName);
    const known = made !== undefined && (await findAccount(host, admin.user)) !== undefined;
    if (known && (await hasPassword(host, admin.user))) return undefined;
    return `make a password with which ${admin.user} can log in on the console`;
  },

  async apply({ host, site: { admin } }) {
    const made = await readSecret(host, consolePasswordName);
    if (made !== undefined && (await hasPassword(host, admin.user))) return;
    const password = made ?? makeSecret(shape);
    await host.run('chpasswd', [], { input: `${admin.user}:${password}\n` });
    if (!(await opensConsole(host, admin.user, password))) {
      throw new LandfallError('STAGE_FAILED', `the new password of ${admin.user} does not hold`, {
        hint: 'The way in over SSH stays as it was. Look at /etc/pam.d/chpasswd and common-password.',
      });
    }
    // Only now: a run that ended before makes another one.
    await writeSecret(host, consolePasswordName, password);
  },
};

/** Whether a user has a password that is not locked. */
async function hasPassword(host: Host, user: string): Promise<boolean> {
  const { stdout } = await host.run('passwd', ['--status', user]);
  return stdout.split(' ')[1] === 'P';
}

/** Whether a password opens an account, by PAM's own judge, which also login(1) asks. */
export async function opensConsole(host: Host, user: string, password: string): Promise<boolean> {
  const { code } = await host.run('unix_chkpwd', [user, 'nonull'], {
    input: `${password}\0`,
    accept: anyRefusal,
  });
  return code === 0;
}

/** The return codes of PAM. */
const anyRefusal = Array.from({ length: 32 }, (_, code) => code);
