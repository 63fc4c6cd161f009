import { createServer } from 'node:net';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { firewallStatusFile } from '#contract/server-paths.ts';
import { formatOpening } from '#contract/site/opening.ts';
import { inBoth, inLanguage } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { type ProbeTarget, probeFromOutside } from '../../server/host/outside/probe.ts';
import {
  differences,
  install,
  installs,
  isInPlace,
  type Service,
} from '../../server/host/service.ts';
import { sshProbeTargets, unreachableSsh } from '../../server/host/sshd/ssh-from-outside.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { changeFirewall, firewallService } from './apply.ts';
import { firewallDifferences } from './differences.ts';
import { firewallFacts, refuseContainerUplinks } from './facts.ts';
import { foreignRuleProblems } from './foreign-rules.ts';
import { firewallUnit } from './public.ts';
import type { FirewallFacts } from './table.ts';
import { ufwStatusText } from './ufw.ts';

const programs: Service = { packages: ['nftables', 'iproute2', 'ufw'] };

/** The next stage confirms the change first. Seconds. */
const undoAfter = 300;

/**
 * Closes all ports of the host and of containers except SSH, HTTP, HTTPS and the configured ones
 * (SPEC 3.2, 8). The change is reverted automatically unless the next stage confirms it.
 */
export const firewallStage: Stage = {
  name: 'firewall',
  title: 'firewall: only the ports of the site are open',

  async check({ host, site }: Context) {
    await refuseContainerUplinks(host);
    const facts = await firewallFacts(host, site);
    const { packages: missing } = await differences(host, programs);
    const ports = facts.openings.map(formatOpening);
    const set = inLanguage({
      en: `close all ports except SSH (${facts.ssh.join(', ')}), ${ports.join(', ')}`,
      zh: `关闭所有端口，除了 SSH（${facts.ssh.join(', ')}）、${ports.join(', ')}`,
    });
    if (missing.length > 0) {
      const foreign = await foreignRuleProblems(host);
      return [installs(missing), ...[set, ...foreign.map(fixes)]];
    }
    const { problems } = await firewallDifferences(host, facts);
    if (problems.length === 0 && (await isInPlace(host, firewallService))) return [];
    return [set, ...problems.map(fixes)];
  },

  async apply({ host, site, report }: Context) {
    await install(host, programs, report);
    report.say(inLanguage({ en: 'closing all other ports', zh: '关闭其他所有端口' }));
    await changeFirewall(host, { facts: await firewallFacts(host, site) }, undoAfter);
  },

  async prove({ host, site, report }: Context) {
    await proveFirewall(host, await firewallFacts(host, site), report);
    await writeText(host, firewallStatusFile, `${await ufwStatusText(host)}\n`, { mode: 0o600 });
  },
};

function fixes({ message }: Problem): string {
  return inLanguage({ en: `fix: ${message}`, zh: `修正：${message}` });
}

/**
 * Verifies the firewall: the table and UFW match their settings and load at boot; from outside, sshd and
 * the other open ports are reachable, and a listener on a closed port is not. Warns about ports that only UFW opens.
 * @throws LandfallError FIREWALL_INVALID with all problems
 */
async function proveFirewall(host: Host, facts: FirewallFacts, report: Reporter): Promise<void> {
  const { problems, closedHere } = await firewallDifferences(host, facts);
  for (const problem of closedHere) {
    report.warn({ kind: 'closed-port', subject: 'ufw', text: inBoth(formatProblem(problem)) });
  }
  const states = [...problems, ...(await checkUnit(host))];
  const packets = states.length > 0 ? [] : await checkPackets(host, facts, report);
  if (states.length + packets.length === 0) return;
  throw new LandfallError('FIREWALL_INVALID', 'the firewall does not work as configured', {
    hint: {
      en: 'See: sudo nft list table inet landfall; sudo ufw status verbose',
      zh: '查看：sudo nft list table inet landfall；sudo ufw status verbose',
    },
    problems: [...states, ...packets],
  });
}

async function checkUnit(host: Host): Promise<Problem[]> {
  if (await isInPlace(host, firewallService)) return [];
  return [{ message: `${firewallUnit} does not load the firewall at boot` }];
}

async function checkPackets(
  host: Host,
  { openings, socks }: FirewallFacts,
  report: Reporter,
): Promise<Problem[]> {
  const ssh = await sshProbeTargets(host);
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  try {
    const address = listener.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const closed: ProbeTarget[] = [
      { family: 4, port },
      { family: 6, port },
    ];
    // Only its clients reach the SOCKS5 server.
    const everyones = openings.filter(
      (it) => it.from === undefined && it.protocol === 'tcp' && it.first !== socks?.port,
    );
    const others = everyones.flatMap(({ first }): ProbeTarget[] =>
      ([4, 6] as const).map((family) => ({ family, port: first, standIn: true })),
    );
    const isOneOf = (targets: readonly ProbeTarget[]) => (it: ProbeTarget) =>
      targets.some((target) => target.port === it.port);
    const probed = await probeFromOutside(host, [...ssh, ...closed, ...others]);
    const open = probed.filter(isOneOf(ssh));
    if (open.length === 0)
      report.warn({
        kind: 'ssh-unproved',
        subject: 'sshd',
        text: {
          en: 'SSH listens on no public address: access from outside was not tested',
          zh: 'SSH 没有监听公网地址：没有测试从外部能否访问',
        },
      });
    return [
      ...unreachableSsh(open),
      ...probed
        .filter((it) => isOneOf(closed)(it) && it.state !== 'filtered')
        .map(({ family, state }) => ({
          message: `a closed port is ${state} over IPv${family}`,
        })),
      ...probed
        // A container that starts refuses connections.
        .filter((it) => isOneOf(others)(it) && ['rejected', 'filtered'].includes(it.state))
        .map((it) => ({
          message: `port ${it.port} is open in both firewalls, but ${it.state} over IPv${it.family}`,
          hint: 'Look for the rule of another program: sudo nft list ruleset',
        })),
    ];
  } finally {
    listener.close();
  }
}
