import type { Site } from '#contract/site/site.ts';
import { type Account, allAccounts, homePath } from '../host/account.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { keyOf, keysIn } from '../host/sshd/authorized-keys.ts';
import type { Warning } from '../stage/warning.ts';

/**
 * Warns about other accounts with SSH keys that are not in the site: root and users of the provider's
 * image. They are not changed (docs/decisions/0010-administrator-account.md).
 */
export async function otherLogins(
  host: Host,
  { user, ssh_keys }: Site['admin'],
): Promise<Warning[]> {
  const known = new Set(ssh_keys.map((key) => keyOf(key) ?? key));
  const warnings: Warning[] = [];
  for (const account of await allAccounts(host)) {
    if (account.user === user || (account.uid !== 0 && account.uid < 1000)) continue;
    const count = await countKeys(host, account, known);
    if (count === 0) continue;
    const keys = `${count} SSH key${count > 1 ? 's' : ''}`;
    const text =
      account.uid === 0
        ? `root has ${keys} that ${count > 1 ? 'stop' : 'stops'} working when root login is disabled; add the keys to keep to admin.ssh_keys of the site`
        : `${account.user} can log in as well, with ${keys} that ${count > 1 ? 'are' : 'is'} not in the site`;
    warnings.push({ kind: 'login', subject: account.user, text });
  }
  return warnings;
}

/**
 * Counts the keys of an account that are not known. Copies by cloud-init that only print a message do
 * not count.
 */
async function countKeys(
  host: Host,
  account: Account,
  known: ReadonlySet<string>,
): Promise<number> {
  const text = (await readText(host, homePath(account, '.ssh/authorized_keys'))) ?? '';
  const useful = text.split('\n').filter((line) => !/Please login as the user/.test(line));
  return keysIn(useful.join('\n')).filter((key) => !known.has(key)).length;
}
