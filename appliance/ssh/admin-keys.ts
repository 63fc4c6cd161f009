import type { Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { flawOfSshKey } from '#contract/site/ssh-public-key.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { homePath, readAccount } from '../host/account.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { keysIn } from '../host/sshd/authorized-keys.ts';
import { unproven } from './login-proof.ts';

/** A key that sshd rejects. */
interface FlawedKey extends Problem {
  /** Its field in the site. */
  readonly field: string;
}

/** Returns the keys of a site that sshd rejects, each with a hint. */
export function flawedKeys({ admin }: Pick<Site, 'admin'>): FlawedKey[] {
  return admin.ssh_keys.flatMap((line, index) => {
    const flaw = flawOfSshKey(line);
    if (!flaw) return [];
    const field = `admin.ssh_keys[${index}]`;
    return [{ field, message: `${field} of the site ${flaw.message}`, hint: flaw.hint }];
  });
}

/**
 * Verifies that sshd accepts at least one key of the administrator account, including keys that were
 * added by hand. The test login uses a temporary key, so it does not cover these.
 * @throws LandfallError SSH_UNPROVEN
 */
export async function refuseUselessKeys(host: Host, site: Pick<Site, 'admin'>): Promise<void> {
  const account = await readAccount(host, site.admin.user);
  const text = (await readText(host, homePath(account, '.ssh/authorized_keys'))) ?? '';
  if (keysIn(text).some((key) => flawOfSshKey(key) === undefined)) return;
  throw unproven(
    `no SSH key of ${site.admin.user} is accepted by sshd`,
    flawedKeys(site).map((flaw) => formatProblem(flaw)),
  );
}
