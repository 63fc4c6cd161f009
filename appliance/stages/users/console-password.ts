import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { findAccount } from '../../server/host/account.ts';
import type { Host } from '../../server/host/host.ts';
import { throughPipes } from '../../server/host/run/pipes.ts';
import { makeSecret, readSecret, writeSecret } from '../../server/host/secret-file.ts';
import type { Measure } from '../../server/stage/measure.ts';
import type { CredentialSource } from '../secrets/public.ts';

/** The name of the secret; `landfall credentials` shows it. */
export const consolePasswordName = 'console-password';

/**
 * Consoles of providers often assume another keyboard layout than the user's. These letters are at
 * the same position on American, German and French keyboards, and easy to tell apart. 20 out of 17
 * letters give 81 bits.
 */
const shape = { length: 20, alphabet: 'bcdefghjknprstuvx' };

/**
 * Sets a password for the console of the provider, which does not accept keys. A password that the
 * administrator set later is kept.
 */
export const consolePassword: Measure = {
  async check({ host, site: { admin } }) {
    const made = await readSecret(host, consolePasswordName);
    const known = made !== undefined && (await findAccount(host, admin.user)) !== undefined;
    if (known && (await hasPassword(host, admin.user))) return [];
    return [
      inLanguage({
        en: `generate a console password for ${admin.user}`,
        zh: `为 ${admin.user} 生成控制台密码`,
      }),
    ];
  },

  async apply({ host, site: { admin } }) {
    const made = await readSecret(host, consolePasswordName);
    if (made !== undefined && (await hasPassword(host, admin.user))) return;
    const password = made ?? makeSecret(shape);
    await host.run('chpasswd', [], { input: `${admin.user}:${password}\n` });
    if (!(await opensConsole(host, admin.user, password))) {
      throw new LandfallError(
        'STAGE_FAILED',
        `cannot set the password of ${admin.user}: it was rejected by PAM`,
        {
          hint: {
            en: 'Check /etc/pam.d/chpasswd and common-password. SSH was not changed.',
            zh: '检查 /etc/pam.d/chpasswd 和 common-password。SSH 没有更改。',
          },
        },
      );
    }
    // Saved last: an interrupted run makes a new password.
    await writeSecret(host, consolePasswordName, password);
  },
};

async function hasPassword(host: Host, user: string): Promise<boolean> {
  const { stdout } = await host.run('passwd', ['--status', user]);
  return stdout.split(' ')[1] === 'P';
}

/** Returns whether PAM accepts a password; login(1) uses the same check. */
export async function opensConsole(host: Host, user: string, password: string): Promise<boolean> {
  const command = throughPipes('unix_chkpwd', [user, 'nonull']);
  return await host.succeeds(...command, { input: `${password}\0` });
}

/** Returns the console password of the administrator account. */
export const consoleCredentials: CredentialSource = async (host, { admin: { user } }) => {
  const value = await readSecret(host, consolePasswordName);
  if (value === undefined || !(await findAccount(host, user))) return [];
  const title = `Console of the server, user ${user}`;
  const credential = { title, name: consolePasswordName, value };
  if (await opensConsole(host, user, value)) return [credential];
  return [{ ...credential, note: 'No longer valid: it was changed on the server with passwd.' }];
};
