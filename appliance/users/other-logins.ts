import { type Account, allAccounts, homePath } from '../host/account.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { keysIn } from '../host/sshd/authorized-keys.ts';
import type { Warning } from '../stage/warning.ts';

/**
 * Who else than the owner's account has SSH keys: the user that a provider's image comes with, and
 * root. They are left as they are (docs/decisions/0010-administrator-account.md), so people should know of them.
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
        ? `root has ${keys} that open nothing once root's login is closed; what should go on belongs into admin.ssh_keys of the site`
        : `${account.user} can log in as well, with ${keys} that came with this server`;
    warnings.push({ kind: 'login', subject: account.user, text });
  }
  return warnings;
}

/** cloud-init leaves the keys with root as well, where they only say whose account to use. */
async function countKeys(host: Host, account: Account): Promise<number> {
  const text = (await readText(host, homePath(account, '.ssh/authorized_keys'))) ?? '';
  const useful = text.split('\n').filter((line) => !/Please login as the user/.test(line));
  return keysIn(useful.join('\n')).length;
}
