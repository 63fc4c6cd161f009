import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { replaceKeys } from '../../operations/backup/change-key.ts';
import { readOrMakePassword, readPassword } from '../../operations/backup/password.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { preparedTargets, storedBackups } from '../../server/records/backups.ts';
import { askFor } from '../ask-yes.ts';
import { askLastGroup, expectTerminal, printPassword } from './show-password.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/**
 * Shows the password again.
 * @throws LandfallError BACKUP_MISSING before `landfall backup init`
 */
export async function showKey({ host }: Facts, yes = false): Promise<void> {
  const password = await readPassword(host, 'person');
  if (password === undefined) throw noPassword();
  const question = {
    en: 'Show the password of the backups on this screen? [y/N] ',
    zh: '在屏幕上显示备份密码？[y/N] ',
  };
  if (!yes && !(await askFor('y', inLanguage(question), '--yes'))) return;
  await printPassword(password);
}

/**
 * Replaces the password of the person at every target. Until every repository has the new one, the earlier
 * one stays valid everywhere; from then on the new one is. After an interruption, the next call continues.
 * @throws LandfallError BACKUP_…, USAGE without a terminal
 */
export async function newKey({ host, site }: Facts): Promise<void> {
  const before = await readPassword(host, 'person');
  if (before === undefined) throw noPassword();
  if (!(await storedBackups.read(host)).isConfirmed) throw notConfirmed();
  const targets = await preparedTargets(host, site);
  expectTerminal();
  await takeRunLock(host, 'backup');
  const next = await readOrMakePassword(host, 'next');
  // It is in place already if only the removal of earlier keys was interrupted.
  if (next !== before) await askLastGroup(next, 'sudo landfall backup key new');
  await replaceKeys(host, site, targets, next, (name) =>
    say(`changing the keys at ${name}`, `正在更改 ${name} 的密钥`),
  );
  say('The new password is valid, the earlier one is not.', '新密码已生效，旧密码已失效。');
}

function noPassword(): LandfallError {
  return new LandfallError(
    'BACKUP_MISSING',
    inLanguage({ en: 'there is no password yet', zh: '还没有密码' }),
    {
      hint: { en: 'Run `sudo landfall backup init`.', zh: '运行 `sudo landfall backup init`。' },
    },
  );
}

function notConfirmed(): LandfallError {
  return new LandfallError(
    'BACKUP_PASSWORD',
    inLanguage({ en: 'the present password is not confirmed yet', zh: '现在的密码还没有确认' }),
    {
      hint: { en: 'Run `sudo landfall backup init`.', zh: '运行 `sudo landfall backup init`。' },
    },
  );
}
