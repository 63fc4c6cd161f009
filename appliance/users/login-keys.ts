import { stat } from 'node:fs/promises';
import { type Account, findAccount, homePath, readAccount } from '../host/account.ts';
import { makeFolder, readText, statIfPresent, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { keyOf, keysIn, withKeys } from '../host/sshd/authorized-keys.ts';
import type { Measure } from '../stage/measure.ts';

/** Permission bits that make sshd ignore every key of a user (`StrictModes` of sshd_config(5)). */
const writableByOthers = 0o022;

/** Adds the keys of the site to the administrator account; keys that were added by hand are kept. */
export const loginKeys: Measure = {
  async check({ host, site: { admin } }) {
    const account = await findAccount(host, admin.user);
    const text = account && (await readText(host, homePath(account, keysFile)));
    const present = new Set(keysIn(text ?? ''));
    const missing = admin.ssh_keys.filter((key) => !present.has(keyOf(key) ?? key));
    if (missing.length > 0) {
      return [
        `add ${missing.length} SSH key${missing.length > 1 ? 's' : ''} of the site to ${admin.user}`,
      ];
    }
    if (!account || (await hasSafeModes(host, account))) return [];
    return [`fix the owner and the permissions of the SSH keys of ${admin.user}`];
  },

  async apply({ host, site: { admin } }) {
    const account = await readAccount(host, admin.user);
    const { uid, gid } = account;
    await closeHome(host, account);
    await makeFolder(host, homePath(account, '.ssh'), { mode: 0o700, uid, gid });
    const text = (await readText(host, homePath(account, keysFile))) ?? '';
    const keys = withKeys(text, admin.ssh_keys);
    await writeText(host, homePath(account, keysFile), keys, { mode: 0o600, uid, gid });
  },
};

const keysFile = '.ssh/authorized_keys';

/** Removes the write permissions of others, because sshd otherwise ignores the keys. */
async function closeHome(host: Host, { home, uid, gid }: Account): Promise<void> {
  const path = home.replace(/^\/+/, '');
  const { mode } = await stat(host.path(path));
  await makeFolder(host, path, { mode: mode & 0o7777 & ~writableByOthers, uid, gid });
}

async function hasSafeModes(host: Host, account: Account): Promise<boolean> {
  const limits = [
    { path: account.home, max: 0o7777 & ~writableByOthers },
    { path: homePath(account, '.ssh'), max: 0o700 },
    { path: homePath(account, keysFile), max: 0o600 },
  ];
  for (const { path, max } of limits) {
    const found = await statIfPresent(host, path);
    if (!found || found.uid !== account.uid || (found.mode & 0o7777 & ~max) !== 0) return false;
  }
  return true;
}
