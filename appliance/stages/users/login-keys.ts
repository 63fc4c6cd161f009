import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { inLanguage } from '#contract/text/language.ts';
import { type Account, findAccount, homePath, readAccount } from '../../server/host/account.ts';
import { makeFolder, readText, statIfPresent, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { keyOf, keysIn, withKeys, withoutKeys } from '../../server/host/sshd/authorized-keys.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Measure } from '../../server/stage/measure.ts';

/** Permission bits that make sshd ignore every key of a user (`StrictModes` of sshd_config(5)). */
const writableByOthers = 0o022;

/**
 * The keys of the site in the administrator account: adds new ones, and removes those that an earlier
 * site had. Keys that were added by hand are kept.
 */
export const loginKeys: Measure = {
  async check({ host, site: { admin } }) {
    const account = await findAccount(host, admin.user);
    const text = account && (await readText(host, homePath(account, keysFile)));
    const present = new Set(keysIn(text ?? ''));
    const missing = admin.ssh_keys.filter((key) => !present.has(keyOf(key) ?? key));
    const dropped = (await droppedKeys(host, admin.ssh_keys)).filter((key) => present.has(key));
    const tasks = [
      ...(missing.length > 0 ? [adds(missing, admin.user)] : []),
      ...(dropped.length > 0 ? [removes(dropped, admin.user)] : []),
    ];
    if (tasks.length > 0 || !account || (await hasSafeModes(host, account))) return tasks;
    return [
      inLanguage({
        en: `fix the owner and the permissions of the SSH keys of ${admin.user}`,
        zh: `修正 ${admin.user} 的 SSH 密钥的所有者和权限`,
      }),
    ];
  },

  async apply({ host, site: { admin } }) {
    const account = await readAccount(host, admin.user);
    const { uid, gid } = account;
    const dropped = await droppedKeys(host, admin.ssh_keys);
    await recordKeys(host, [...admin.ssh_keys, ...dropped]);
    await closeHome(host, account);
    await makeFolder(host, homePath(account, '.ssh'), { mode: 0o700, uid, gid });
    const text = (await readText(host, homePath(account, keysFile))) ?? '';
    const keys = withKeys(withoutKeys(text, dropped), admin.ssh_keys);
    await writeText(host, homePath(account, keysFile), keys, { mode: 0o600, uid, gid });
    await recordKeys(host, admin.ssh_keys);
  },
};

function adds(keys: readonly string[], user: string): string {
  return inLanguage({
    en: `add ${count(keys)} of the site to ${user}`,
    zh: `把站点的 ${keys.length} 个 SSH 密钥加入 ${user}`,
  });
}

function removes(keys: readonly string[], user: string): string {
  return inLanguage({
    en: `remove ${count(keys)} of ${user}`,
    zh: `从 ${user} 删除 ${keys.length} 个 SSH 密钥`,
  });
}

function count(keys: readonly string[]): string {
  return `${keys.length} SSH key${keys.length > 1 ? 's' : ''}`;
}

/** The keys that the site has put into the account. */
const storedKeys = new StateFile('var/lib/landfall/login-keys.json', z.array(z.string()), {
  initial: [],
  mode: 0o600,
  isLine: true,
});

/** Returns the keys that an earlier site had. */
async function droppedKeys(host: Host, lines: readonly string[]): Promise<string[]> {
  const wanted = new Set(lines.map(keyOf));
  const recorded = await storedKeys.read(host);
  return recorded.filter((key) => !wanted.has(key));
}

async function recordKeys(host: Host, lines: readonly string[]): Promise<void> {
  const keys = lines.map((line) => keyOf(line) ?? line);
  await storedKeys.write(host, keys);
}

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
