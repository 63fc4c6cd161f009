import type { Problem } from '#contract/errors.ts';
import type { Context } from '../stage/stage.ts';
import { isOurs, type Listener, parseListeners } from './listeners.ts';

/** The gateway's. */
const ports = [80, 443];

/** Common web servers, by the name of their process, as people call them. */
const webServers: Readonly<Record<string, string>> = {
  nginx: 'nginx',
  apache2: 'Apache',
  httpd: 'Apache',
  caddy: 'Caddy',
  lighttpd: 'lighttpd',
  haproxy: 'HAProxy',
  traefik: 'Traefik',
};
/** Who listens for a port that a container publishes; whose container that is, is judged apart. */
const enginePrograms = ['docker-proxy', 'dockerd'];

/** Judges whether ports 80 and 443 are free for the gateway, or have it already. */
export async function judgePorts({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('ss', ['-H', '-tlnp']);
  const listeners = parseListeners(stdout).filter(({ port }) => ports.includes(port));
  const foreign = await Promise.all(
    listeners.map(async (each) => !isEngine(each) && !(await isOurs(host, each))),
  );
  return describe(listeners.filter((_, index) => foreign[index]));
}

function isEngine({ processes }: Listener): boolean {
  return processes.some(({ name }) => enginePrograms.includes(name));
}

/** One sentence for each program. */
function describe(listeners: readonly Listener[]): Problem[] {
  const programs = Map.groupBy(listeners, nameOf);
  return [...programs].map(([name, held]) => {
    const numbers = [...new Set(held.map(({ port }) => port))].sort((a, b) => a - b);
    const what =
      numbers.length === 1 ? `port ${numbers[0]} is` : `ports ${numbers.join(' and ')} are`;
    const pid = held[0]?.processes[0]?.pid;
    return {
      message: `${what} taken by ${name}${pid === undefined ? '' : ` (process ${pid})`}`,
      hint: 'The gateway needs ports 80 and 443. Remove that program, or take a server without it.',
    };
  });
}

function nameOf({ processes: [first] }: Listener): string {
  return first === undefined ? 'another program' : (webServers[first.name] ?? first.name);
}
