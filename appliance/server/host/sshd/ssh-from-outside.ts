import { isIPv6 } from 'node:net';
import type { Problem } from '#contract/errors.ts';
import type { Host } from '../host.ts';
import type { ProbeResult, ProbeTarget } from '../outside/probe.ts';
import { answeringListeners, type SshListener } from './ssh-listeners.ts';

/**
 * Returns the ports on which SSH must be reachable from outside, for each IP version that sshd
 * listens on.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshProbeTargets(host: Host): Promise<ProbeTarget[]> {
  return probeTargetsOf(await answeringListeners(host));
}

/** Returns the distinct targets of listeners. Loopback and link-local addresses are ignored. */
export function probeTargetsOf(listeners: readonly SshListener[]): ProbeTarget[] {
  const whole = listeners.flatMap(({ address, port }) =>
    (everyAddress[address] ?? []).map((family) => ({ family, port })),
  );
  const single = listeners
    .filter(({ address }) => !(address in everyAddress) && !staysHere.test(address))
    .map(
      ({ address, port }) => ({ family: isIPv6(address) ? 6 : 4, port, standIn: true }) as const,
    );
  // A target on all addresses needs no listener of ours, so it replaces one on a single address.
  const byName = new Map<string, ProbeTarget>(
    [...single, ...whole].map((target) => [`${target.family} ${target.port}`, target]),
  );
  return [...byName.values()].sort((a, b) => a.family - b.family || a.port - b.port);
}

const everyAddress: Readonly<Record<string, ReadonlyArray<4 | 6>>> = {
  '0.0.0.0': [4],
  '::': [6],
  '*': [4, 6],
};
const staysHere = /^(?:127\.|::1$|169\.254\.|fe[89ab])/i;

/** Returns a problem for each port on which SSH is not reachable. */
export function unreachableSsh(probed: readonly ProbeResult[]): Problem[] {
  return probed
    .filter(({ state }) => state !== 'open')
    .map(({ family, port, state }) => ({
      message: `SSH port ${port} is ${state} from outside over IPv${family}`,
    }));
}
