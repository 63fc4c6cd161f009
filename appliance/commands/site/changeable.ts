import { createHash } from 'node:crypto';
import { LandfallError } from '#contract/errors.ts';
import type { SiteDifference } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { effectOf } from '#explain/site-notes.ts';
import type { Host } from '../../server/host/host.ts';
import { keyOf } from '../../server/host/sshd/authorized-keys.ts';

/** Whether a new login must confirm a change, because it could lock out the administrator. */
export function needsConfirmation(differences: readonly SiteDifference[]): boolean {
  return differences.some((each) => effectOf(each.field).confirms === true && !onlyAdds(each));
}

/**
 * Refuses a change of fields that only a new server reads, and one after which no SSH key is left that
 * has logged in before.
 * @throws LandfallError USAGE with each of them
 */
export async function expectChangeable(
  host: Host,
  { admin }: Pick<Site, 'admin'>,
  differences: readonly SiteDifference[],
): Promise<void> {
  const problems = differences.flatMap(({ field }) => {
    const { instead } = effectOf(field);
    if (!instead) return [];
    const message = {
      en: `${field} can only be set on a new server`,
      zh: `${field} 只能在新服务器上设置`,
    };
    return [{ message: inLanguage(message), hint: inLanguage(instead) }];
  });
  const keys = differences.find(({ field }) => field === 'admin.ssh_keys');
  if (keys && !onlyAdds(keys) && !(await hasLoggedIn(host, admin))) {
    problems.push({
      message: inLanguage({
        en: 'admin.ssh_keys keeps no key that has logged in to this server',
        zh: 'admin.ssh_keys 中没有保留登录过这台服务器的密钥',
      }),
      hint: inLanguage({
        en: 'Add the new key first, log in with it, and then remove the other one.',
        zh: '先加入新密钥并用它登录，再删除另一个。',
      }),
    });
  }
  if (problems.length === 0) return;
  const message = 'the site changes fields that this command does not change';
  throw new LandfallError('USAGE', message, {
    hint: {
      en: 'Leave them as they are. Nothing was changed.',
      zh: '请保持原样。没有更改任何内容。',
    },
    problems,
  });
}

/** Whether a list keeps all its entries, such as the keys of other administrators. */
function onlyAdds({ before, after }: SiteDifference): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return before.every((entry) => after.includes(entry));
}

/** Returns whether the journal has a login with one of the keys. */
async function hasLoggedIn(host: Host, { user, ssh_keys: lines }: Site['admin']): Promise<boolean> {
  const accepted = await host.run(
    'journalctl',
    [
      ...['--quiet', '--output=cat', '--identifier=sshd', '--identifier=sshd-session'],
      `--grep=^Accepted publickey for ${user} `,
    ],
    // Nothing was found.
    { accept: [1] },
  );
  const used = new Set(accepted.stdout.match(/SHA256:\S+/g));
  return lines.some((line) => used.has(fingerprintOf(line)));
}

/** Returns `SHA256:...`, as sshd logs it. */
function fingerprintOf(line: string): string {
  const body = keyOf(line)?.split(' ')[1] ?? '';
  const digest = createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
