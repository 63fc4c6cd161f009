import { isIPv6 } from 'node:net';
import type { Problem } from '#contract/errors.ts';
import type { Host } from '../host.ts';
import type { Place, ProbedPlace } from '../outside/probe.ts';
import type { Listener } from './listener.ts';
import { answeringListeners } from './ssh-listeners.ts';

/**
 * Where SSH has to answer somebody from outside: over each version of IP that sshd listens on, and
 * no other.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshPlaces(host: Host): Promise<Place[]> {
  return placesOf(await answeringListeners(host));
}

/** The places of listeners, each once. Those that only this machine or its link reaches are none. */
export function placesOf(listeners: readonly Listener[]): Place[] {
  const whole = listeners.flatMap(({ address, port }) =>
    (everyAddress[address] ?? []).map((family) => ({ family, port })),
  );
  const single = listeners
    .filter(({ address }) => !(address in everyAddress) && !staysHere.test(address))
    .map(
      ({ address, port }) => ({ family: isIPv6(address) ? 6 : 4, port, standIn: true }) as const,
    );
  const byName = new Map<string, Place>();
  for (const place of [...whole, ...single]) {
    const name = `${place.family} ${place.port}`;
    if (!byName.has(name)) byName.set(name, place);
  }
  return [...byName.values()].sort((a, b) => a.family - b.family || a.port - b.port);
}

const everyAddress: Readonly<Record<string, ReadonlyArray<4 | 6>>> = {
  '0.0.0.0': [4],
  '::': [6],
  '*': [4, 6],
};
const staysHere = /^(?:127\.|::1$|169\.254\.|fe[89ab])/i;

/** What is wrong where SSH does not answer as it should. */
export function deafPlaces(probed: readonly ProbedPlace[]): Problem[] {
  return probed
    .filter(({ state }) => state !== 'open')
    .map(({ family, port, state }) => ({
      message: `SSH at port ${port} is ${state} over IPv${family} from outside`,
    }));
}
