import { existsSync } from 'node:fs';
import type { Problem } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';

/** A rule that refuses all that is not accepted before it: UFW, whose rules come later, opens nothing then. */
interface RefusalOfAll {
  readonly program: 'iptables' | 'ip6tables';
  /** `INPUT -j REJECT --reject-with icmp-host-prohibited`. */
  readonly rule: string;
}

/** Not of UFW, whose own refusals are in chains of its own. */
const refusal = /^-A (INPUT -j (?:REJECT|DROP)(?: --reject-with \S+)?)$/gm;

/**
 * Returns the rules of images, such as Oracle's for Ubuntu, that close every port but SSH. Their package
 * iptables-persistent is removed with the installation of UFW, but its rules stay until the next boot.
 */
async function refusalsOfAll(host: Host): Promise<RefusalOfAll[]> {
  const found: RefusalOfAll[] = [];
  for (const program of ['iptables', 'ip6tables'] as const) {
    if (!existsSync(host.path('usr/sbin', program))) continue;
    // Without the module of the kernel there are no rules.
    const { stdout } = await host.run(program, ['-S', 'INPUT'], { accept: [1, 3] });
    for (const [, rule = ''] of stdout.matchAll(refusal)) found.push({ program, rule });
  }
  return found;
}

/** Returns the rules of other programs that keep the ports of the site closed. */
export async function foreignRuleProblems(host: Host): Promise<Problem[]> {
  return (await refusalsOfAll(host)).map(({ program, rule }) => ({
    message: inLanguage({
      en: `a rule of ${program} closes every port but SSH: ${rule}`,
      zh: `${program} 的一条规则关闭了 SSH 以外的所有端口：${rule}`,
    }),
    hint: inLanguage({
      en: 'Run: sudo landfall firewall apply, which removes it',
      zh: '运行：sudo landfall firewall apply，它会删除这条规则',
    }),
  }));
}

/** Removes these rules. All that they refuse is closed by UFW and by our table. */
export async function removeForeignRules(host: Host): Promise<void> {
  for (const { program, rule } of await refusalsOfAll(host))
    await host.run(program, ['-D', ...rule.split(' ')]);
}
