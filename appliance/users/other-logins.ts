import { type Account, allAccounts, homePath } from '../host/account.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { keysIn } from '../host/sshd/authorized-keys.ts';
import type { Warning } from '../stage/warning.ts';

/**
 * Warns about other accounts with SSH keys: root and users of the provider's image. They are not
 * changed (docs/decisions/0010-administrator-account.md).
 */
export async function otherLogins(host: Host, user: string): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const account of await allAccounts(host)) {
    if (account.user === user || (account.uid !== 0 && account.uid < 1000)) continue;
    const count = await countKeys(host, account);
    if (count === 0) continue;
    const keys = `${count} SSH key${count > 1 ? 's' : ''}`;
    const text =
      account.uid === 0
        ? `root has ${keys} that stop working when root login is disabled; add the keys to keep to admin.ssh_keys of the site`
        : `${account.user} can log in as well, with ${keys} that are not from the site`;
    warnings.push({ kind: 'login', subject: account.user, text });
  }
  return warnings;
}

/** Counts the keys of an account. Copies by cloud-init that only print a message do not count. */
async function countKeys(host: Host, account: Account): Promise<number> {
  const text = (await readText(host, homePath(account, '.ssh/authorized_keys'))) ?? '';
  const useful = text.split('\n').filter((line) => !/Please login as the user/.test(line));
  return keysIn(useful.join('\n')).length;
}
