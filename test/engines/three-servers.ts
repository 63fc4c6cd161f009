import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { BalancerState, EngineState } from '../../appliance/nodes/balancer/states.ts';
import { chatSite } from '../host/boot/first-booted.ts';
import { HostBundle } from '../host/boot/host-bundle.ts';
import { Premises, type SiteParts } from '../host/boot/premises.ts';
import { startOnServer } from '../host/commands/start-on-server.ts';
import type { CloudDependencies } from '../host/network/cloud.ts';
import { printStages } from '../host/whole-stack/print-stages.ts';
import type { TerminalRun } from '../pty/terminal.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { tinyGguf } from '../stand-ins/engine/gguf/tiny-gguf.ts';
import { model } from './chat-user.ts';

interface Dependencies {
  readonly dependencies: CloudDependencies;
  readonly registry: string;
  readonly composePlugin: string;
}

/** Milliseconds of a token: slow enough for two processors that work for three servers. */
const pace = 20;

/** Slots of each server, by its name in `landfall engines`. */
export const slots = { local: 1, gpu1: 2, attic: 1 } as const;

type NodeName = Exclude<keyof typeof slots, 'local'>;
export const nodeNames: readonly NodeName[] = ['gpu1', 'attic'];

/** A first server and two engine nodes in one cloud, each with its own user-data. */
export class ThreeServers {
  readonly first: Premises;
  readonly #dependencies: CloudDependencies;
  readonly #nodes = new Map<NodeName, Premises>();

  private constructor(first: Premises, dependencies: CloudDependencies) {
    this.first = first;
    this.#dependencies = dependencies;
  }

  /** Boots the first server, and waits until an administrator can use `landfall` on it. */
  static async open({ dependencies, registry, composePlugin: plugin }: Dependencies) {
    const folder = join(await workFolder(), 'bundle');
    const models = [{ name: model, bytes: tinyGguf(1, pace) }];
    const bundle = await HostBundle.shipped({ folder, registry, plugin, models });
    const paste = { dependencies, distribution: 'debian13', bundle, site: chatSite } as const;
    const first = await Premises.open(paste);
    const servers = new ThreeServers(first, dependencies);
    try {
      await first.host.waitFor('command -v landfall');
      return servers;
    } catch (error) {
      await servers.close();
      throw error;
    }
  }

  node(name: NodeName): Premises {
    const found = this.#nodes.get(name);
    if (!found) throw new Error(`the node ${name} was not booted`);
    return found;
  }

  /**
   * Boots both nodes, and waits until the first boots of all three servers have finished.
   * @param lines for the site of a node, as `landfall engines show` prints them
   */
  async bootNodes(lines: string): Promise<void> {
    const shown: SiteParts = parse(lines);
    for (const name of nodeNames) {
      const settings = { ...(shown.engine_node as object), slots: slots[name] };
      // One after the other, because both use one folder to render their user-data.
      this.#nodes.set(name, await this.first.neighbour({ ...shown, engine_node: settings }));
    }
    await Promise.all([
      this.first.comeUp(printed('first')),
      ...nodeNames.map((name) => this.node(name).comeUp(printed(name))),
    ]);
  }

  /** Starts a command of `landfall` on a terminal of a server. */
  start(words: string | readonly string[], { host }: Premises = this.first): TerminalRun {
    return startOnServer(this.#dependencies, host, words);
  }

  /** Returns what `landfall engines list` reports. */
  async list(): Promise<BalancerState> {
    return JSON.parse(await this.first.host.output('landfall engines list --json'));
  }

  /** Returns one field of each server, by its name. */
  async each<Field extends keyof EngineState>(field: Field) {
    const { servers } = await this.list();
    return Object.fromEntries(servers.map((server) => [server.name, server[field]]));
  }

  /** Waits until every server works on this many requests. */
  async reaches(inFlight: Partial<Record<keyof typeof slots, number>>): Promise<void> {
    await expect
      .poll(() => this.each('inFlight'), { timeout: 60_000, interval: 300 })
      .toMatchObject(inFlight);
  }

  /** Waits until a server has a state. */
  async becomes(name: NodeName, state: EngineState['state']): Promise<void> {
    await expect
      .poll(async () => (await this.each('state'))[name], { timeout: 120_000, interval: 300 })
      .toBe(state);
  }

  /**
   * Returns the largest number of requests that a node worked on at the same time, according to the log
   * of its gateway.
   */
  async peakOf(name: NodeName): Promise<number> {
    const { host } = this.node(name);
    return peakIn(await host.output('docker logs --timestamps landfall-gateway 2>/dev/null'));
  }

  async close(): Promise<void> {
    await this.first.close();
  }
}

/**
 * Returns the largest number of requests in progress that generate. Each line has the time when a request
 * ended and, at its end, the seconds that it took. nginx writes the line shortly after HAProxy has the
 * response, and HAProxy may have sent the next request.
 */
export function peakIn(log: string): number {
  const slackSeconds = 0.05;
  const changes = log.split('\n').flatMap((line) => {
    const found = /^(\S+) .*"POST \S*\/(?:chat|generate|completions) .* ([\d.]+)$/.exec(line);
    if (!found) return [];
    const end = Date.parse(found[1] ?? '') / 1000 - slackSeconds;
    const begin = end - Number(found[2]) + 2 * slackSeconds;
    return begin < end
      ? ([
          { at: begin, by: 1 },
          { at: end, by: -1 },
        ] as const)
      : [];
  });
  let [active, peak] = [0, 0];
  for (const { by } of changes.sort((one, other) => one.at - other.at)) {
    active += by;
    peak = Math.max(peak, active);
  }
  return peak;
}

/** Prints the stages of a first boot, with the name of the server. */
function printed(name: string) {
  return printStages((line) => process.stderr.write(`  ${name.padEnd(6)}${line}\n`));
}
