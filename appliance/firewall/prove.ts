import { createServer } from 'node:net';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { type ProbedFamily, probeFromOutside } from '../host/outside-probe.ts';
import { firewallDifferences } from './differences.ts';
import type { FirewallFacts } from './render-table.ts';

/**
 * Proves that the firewall does what it should: its tables and UFW are as rendered, and from outside
 * sshd answers while a port that nobody opened, with somebody listening, does not.
 * @throws LandfallError FIREWALL_INVALID with everything that does not hold
 */
export async function proveFirewall(host: Host, facts: FirewallFacts): Promise<void> {
  const problems = await firewallDifferences(host, facts);
  const packets = problems.length > 0 ? [] : await judgePackets(host, facts);
  if (problems.length + packets.length === 0) return;
  throw new LandfallError('FIREWALL_INVALID', 'the firewall does not do what it should', {
    hint: 'A change that was not confirmed undoes itself in some minutes. See: nft list table inet landfall, ufw status verbose',
    problems: [...problems, ...packets],
  });
}

async function judgePackets(host: Host, { ssh }: FirewallFacts): Promise<Problem[]> {
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  try {
    const address = listener.address();
    const closed = typeof address === 'object' && address ? address.port : 0;
    const probed = await probeFromOutside(host, [...ssh, closed]);
    return probed.flatMap((family) => judgeFamily(family, ssh, closed));
  } finally {
    listener.close();
  }
}

function judgeFamily(
  { family, ports }: ProbedFamily,
  ssh: readonly number[],
  closed: number,
): Problem[] {
  const deaf = ssh.filter((port) => ports[port] !== 'open');
  return [
    ...deaf.map((port) => ({
      message: `SSH at port ${port} is ${ports[port]} over IPv${family} from outside`,
    })),
    ...(ports[closed] === 'filtered'
      ? []
      : [{ message: `a port that nobody opened is ${ports[closed]} over IPv${family}` }]),
  ];
}
