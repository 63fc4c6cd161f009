import { readlink } from 'node:fs/promises';
import { portComponents } from '#contract/component-names.ts';
import type { Problem } from '#contract/errors.ts';
import { releasesFolder } from '#contract/server-paths.ts';
import { isEnabled, isEngineNode } from '#contract/site/enabled.ts';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import { openPublicPorts } from '#contract/site/network/public-ports.ts';
import type { Site } from '#contract/site/site.ts';
import { freePort } from '#contract/site/stack.ts';
import { mapOf } from '#contract/text/json.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import { isActive } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Display names of common web servers, by process name. */
const webServers = mapOf<string>({
  nginx: 'nginx',
  apache2: 'Apache',
  httpd: 'Apache',
  caddy: 'Caddy',
  lighttpd: 'lighttpd',
  haproxy: 'HAProxy',
  traefik: 'Traefik',
});
/** Processes that listen on published ports of containers; foreign containers are checked separately. */
const dockerPrograms = ['docker-proxy', 'dockerd'];

/**
 * Checks that the ports of the gateway, and the loopback ports of the site, are free or used by
 * Landfall itself (SPEC 7, "host port already used").
 */
export async function checkPorts({ host, site }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('ss', ['-H', '-tlnp']);
  const listeners = parseListeners(stdout);
  const foreign = await Promise.all(
    listeners.map(async (each) => !isDocker(each) && !(await isOurs(host, each))),
  );
  const others = listeners.filter((_, index) => foreign[index]);
  return [
    ...describe(others.filter(({ port }) => gatewayPorts(site).includes(port))),
    ...checkLoopbackPorts(site, others, listeners),
  ];
}

function gatewayPorts(site: Site): readonly number[] {
  const web = openPublicPorts(site);
  return isEngineNode(site) ? [...web, enginePort] : web;
}

function isDocker({ processes }: ListeningSocket): boolean {
  return processes.some(({ name }) => dockerPrograms.includes(name));
}

function describe(listeners: readonly ListeningSocket[]): Problem[] {
  const programs = Map.groupBy(listeners, nameOf);
  return [...programs].map(([name, held]) => {
    const numbers = [...new Set(held.map(({ port }) => port))].sort((a, b) => a - b);
    const what =
      numbers.length === 1 ? `port ${numbers[0]} is` : `ports ${numbers.join(' and ')} are`;
    const program = `${name}${processOf(held[0])}`;
    return {
      message: inLanguage({
        en: `${what} already used by ${program}`,
        zh: `端口 ${numbers.join('、')} 已被 ${program} 占用`,
      }),
      hint: inLanguage({
        en: 'Remove that program, or move the gateway with hosts.port and hosts.http: it needs these ports.',
        zh: '删除那个程序，或用 hosts.port 和 hosts.http 把网关移到别的端口：网关需要这些端口。',
      }),
    };
  });
}

/** Addresses that also occupy 127.0.0.1. */
const coversLoopback = /^(?:\*|0\.0\.0\.0|127\.0\.0\.1|\[::\]|\[::ffff:127\.0\.0\.1\])(?:%\w+)?$/;

function checkLoopbackPorts(
  site: Site,
  others: readonly ListeningSocket[],
  all: readonly ListeningSocket[],
): Problem[] {
  const used = [...all.map(({ port }) => port), ...Object.values(site.ports)];
  return portComponents.flatMap((name) => {
    const port = site.ports[name];
    if (!isEnabled(site, name)) return [];
    const holder = others.find((each) => each.port === port && coversLoopback.test(each.address));
    if (!holder) return [];
    return [
      {
        message: inLanguage({
          en: `port ${port} (ports.${name}) is already used by ${nameOf(holder)}${processOf(holder)}`,
          zh: `端口 ${port}（ports.${name}）已被 ${nameOf(holder)}${processOf(holder)} 占用`,
        }),
        hint: inLanguage({
          en: `Set ports.${name} in the site to a free port, such as ${freePort(port, used)}, or remove that program.`,
          zh: `在站点中把 ports.${name} 设为空闲的端口，例如 ${freePort(port, used)}，或删除那个程序。`,
        }),
      },
    ];
  });
}

function nameOf({ processes: [first] }: ListeningSocket): string {
  return first === undefined
    ? inLanguage({ en: 'another program', zh: '其他程序' })
    : (webServers.get(first.name) ?? first.name);
}

function processOf(listener: ListeningSocket | undefined): string {
  const pid = listener?.processes[0]?.pid;
  return pid === undefined ? '' : say(` (process ${pid})`, `（进程 ${pid}）`);
}

/** A TCP socket in the state LISTEN. */
interface ListeningSocket {
  /** As `ss` writes it: `127.0.0.1`, `[::]`, `*`. */
  readonly address: string;
  readonly port: number;
  /** Processes that own the socket; empty if they are not visible. */
  readonly processes: ReadonlyArray<{ readonly name: string; readonly pid: number }>;
}

/** The socket unit through which systemd serves the page of the first boot. */
const pageSocket = 'landfall-page.socket';

/** Parses the output of `ss -H -tlnp`. */
export function parseListeners(text: string): ListeningSocket[] {
  return text.split('\n').flatMap((line) => {
    const found = /^LISTEN\s+\d+\s+\d+\s+(\S*):(\d+)\s/.exec(line);
    if (!found) return [];
    const [, address = '', port = ''] = found;
    const processes = [...line.matchAll(/\("([^"]*)",pid=(\d+),/g)].map(
      ([, name = '', pid = '']) => ({ name, pid: Number(pid) }),
    );
    return [{ address, port: Number(port), processes }];
  });
}

/** Returns whether a listener belongs to Landfall: a program of a release, or the status page. */
async function isOurs(host: Host, { processes }: ListeningSocket): Promise<boolean> {
  const own = await Promise.all(
    processes.map(({ pid }) => (pid === 1 ? isActive(host, pageSocket) : isOfRelease(host, pid))),
  );
  return own.includes(true);
}

async function isOfRelease(host: Host, pid: number): Promise<boolean> {
  try {
    return (await readlink(host.path('proc', `${pid}`, 'exe'))).startsWith(`/${releasesFolder}/`);
  } catch {
    // The process has ended.
    return false;
  }
}
