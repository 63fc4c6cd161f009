import { portComponents, publicPorts } from '#contract/component-names.ts';
import type { Problem } from '#contract/errors.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { freePort } from '#contract/site/free-port.ts';
import type { Site } from '#contract/site/site.ts';
import type { Context } from '../stage/stage.ts';
import { isOurs, type Listener, parseListeners } from './listeners.ts';

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

/**
 * Judges whether the gateway's ports, and those that the site wants on loopback, are free or have
 * their users already (SPEC 7, "host port already used").
 */
export async function judgePorts({ host, site }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('ss', ['-H', '-tlnp']);
  const listeners = parseListeners(stdout);
  const foreign = await Promise.all(
    listeners.map(async (each) => !isEngine(each) && !(await isOurs(host, each))),
  );
  const others = listeners.filter((_, index) => foreign[index]);
  return [
    ...describe(others.filter(({ port }) => publicPorts.includes(port))),
    ...judgeLoopbackPorts(site, others, listeners),
  ];
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
    return {
      message: `${what} taken by ${name}${processOf(held[0])}`,
      hint: 'The gateway needs ports 80 and 443. Remove that program, or take a server without it.',
    };
  });
}

/** Listening there leaves no room on 127.0.0.1. */
const coversLoopback = /^(?:\*|0\.0\.0\.0|127\.0\.0\.1|\[::\]|\[::ffff:127\.0\.0\.1\])(?:%\w+)?$/;

/** One sentence for each port of the site. */
function judgeLoopbackPorts(
  site: Site,
  others: readonly Listener[],
  all: readonly Listener[],
): Problem[] {
  const used = [...all.map(({ port }) => port), ...Object.values(site.ports)];
  return portsInUse(site).flatMap(([part, port]) => {
    const holder = others.find((each) => each.port === port && coversLoopback.test(each.address));
    if (!holder) return [];
    return [
      {
        message: `port ${port}, which ports.${part} is, is taken by ${nameOf(holder)}${processOf(holder)}`,
        hint: `Set ports.${part} in the site to a free one, such as ${freePort(port, used)}, or remove that program.`,
      },
    ];
  });
}

/** The ports of the parts that this site runs. */
function portsInUse(site: Site): Array<[part: string, port: number]> {
  return portComponents
    .filter((name) => isEnabled(site, name))
    .map((name) => [name, site.ports[name]]);
}

function nameOf({ processes: [first] }: Listener): string {
  return first === undefined ? 'another program' : (webServers[first.name] ?? first.name);
}

function processOf(listener: Listener | undefined): string {
  const pid = listener?.processes[0]?.pid;
  return pid === undefined ? '' : ` (process ${pid})`;
}
