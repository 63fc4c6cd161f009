import { createServer } from 'node:net';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { firewallUnit } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { type Place, probeFromOutside } from '../host/outside/probe.ts';
import { deafPlaces, sshPlaces } from '../host/sshd/ssh-from-outside.ts';
import type { Reporter } from '../stage/reporter.ts';
import { firewallDifferences } from './differences.ts';
import type { FirewallFacts } from './render-table.ts';
import { isUnitInPlace } from './unit.ts';

/**
 * Proves that the firewall does what it should: its tables and UFW are as rendered, now and after the
 * next boot, and from outside sshd answers while a port that nobody opened, with somebody listening,
 * does not. Warns of what is open in UFW alone: that is closed.
 * @throws LandfallError FIREWALL_INVALID with everything that does not hold
 */
export async function proveFirewall(
  host: Host,
  facts: FirewallFacts,
  report: Reporter,
): Promise<void> {
  const { problems, closedHere } = await firewallDifferences(host, facts);
  for (const problem of closedHere) {
    report.warn({ kind: 'closed-port', subject: 'ufw', text: formatProblem(problem) });
  }
  const states = [...problems, ...(await judgeUnit(host))];
  const packets = states.length > 0 ? [] : await judgePackets(host, report);
  if (states.length + packets.length === 0) return;
  throw new LandfallError('FIREWALL_INVALID', 'the firewall does not do what it should', {
    hint: 'A change that was not confirmed undoes itself in some minutes. See: sudo nft list table inet landfall; sudo ufw status verbose',
    problems: [...states, ...packets],
  });
}

async function judgeUnit(host: Host): Promise<Problem[]> {
  if (await isUnitInPlace(host)) return [];
  return [{ message: `${firewallUnit} would not load the firewall at the next boot` }];
}

async function judgePackets(host: Host, report: Reporter): Promise<Problem[]> {
  const ssh = await sshPlaces(host);
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  try {
    const address = listener.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const closed: Place[] = [
      { family: 4, port },
      { family: 6, port },
    ];
    const probed = await probeFromOutside(host, [...ssh, ...closed]);
    const [open, shut] = [
      probed.filter((it) => it.port !== port),
      probed.filter((it) => it.port === port),
    ];
    if (open.length === 0)
      report.warn({
        kind: 'ssh-unproved',
        subject: 'sshd',
        text: 'SSH listens on no address that others reach: that it answers from outside was not proved',
      });
    return [
      ...deafPlaces(open),
      ...shut
        .filter(({ state }) => state !== 'filtered')
        .map(({ family, state }) => ({
          message: `a port that nobody opened is ${state} over IPv${family}`,
        })),
    ];
  } finally {
    listener.close();
  }
}
