import type { Site } from '#contract/site/site.ts';
import type { SiteProblem } from '#contract/site/site-problem.ts';
import { flawOfSshKey } from '#contract/site/ssh-public-key.ts';

/** Checks the SSH keys of a site. Returns every problem. */
export function judgeKeys({ admin }: Partial<Site>): SiteProblem[] {
  return (admin?.ssh_keys ?? []).flatMap((line, index) => {
    const flaw = flawOfSshKey(line);
    if (!flaw) return [];
    const name = `admin.ssh_keys[${index}]`;
    return [
      { at: ['admin', 'ssh_keys', index], message: `${name} ${flaw.message}`, hint: flaw.hint },
    ];
  });
}
