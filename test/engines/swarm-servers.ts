import { join } from 'node:path';
import { expect } from 'vitest';
import type { ListedNode } from '../../appliance/commands/node/list.ts';
import type { BalancerState } from '../../appliance/nodes/balancer/states.ts';
import { chatName, chatSite } from '../host/boot/first-booted.ts';
import { HostBundle } from '../host/boot/host-bundle.ts';
import { Premises, type SiteParts } from '../host/boot/premises.ts';
import { startOnServer } from '../host/commands/start-on-server.ts';
import type { Cloud, CloudDependencies } from '../host/network/cloud.ts';
import type { Keeper } from '../host/network/keeper.ts';
import { printStages } from '../host/whole-stack/print-stages.ts';
import { keys, type TerminalRun } from '../pty/terminal.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { tinyGguf } from '../stand-ins/engine/gguf/tiny-gguf.ts';
import { model } from './chat-user.ts';

interface Dependencies {
  readonly dependencies: CloudDependencies;
  readonly registry: string;
  readonly composePlugin: string;
}

/** Milliseconds of a token: slow enough for two processors that work for all servers. */
const pace = 20;

/** Name by which nodes find the first server, which may change its address. */
const firstName = 'first.example.com';

/** A first server, and engine nodes that join it. */
export class SwarmServers {
  #first: Premises;
  readonly #keeper: Keeper;
  readonly #dependencies: CloudDependencies;
  readonly #nodes = new Map<string, Premises>();

  private constructor(first: Premises, keeper: Keeper, dependencies: CloudDependencies) {
    this.#first = first;
    this.#keeper = keeper;
    this.#dependencies = dependencies;
  }

  /** The first server; after a restore, the new one. */
  get first(): Premises {
    return this.#first;
  }

  /** Boots the first server. Returns while it installs itself. */
  static async open({ dependencies, registry, composePlugin: plugin }: Dependencies) {
    const folder = join(await workFolder(), 'bundle');
    const models = [{ name: model, bytes: tinyGguf(1, pace) }];
    const bundle = await HostBundle.shipped({ folder, registry, plugin, models });
    const kept = Promise.withResolvers<Keeper>();
    const site = async (cloud: Cloud): Promise<SiteParts> => {
      const keeper = await cloud.keeper();
      kept.resolve(keeper);
      return { ...chatSite, backup: { to: [keeper.target] } };
    };
    const paste = { dependencies, distribution: 'debian13', bundle, site } as const;
    const first = await Premises.open(paste);
    first.cloud.names.set(firstName, first.host.addresses);
    return new SwarmServers(first, await kept.promise, dependencies);
  }

  /** Turns the Swarm on, as the documents say. */
  async turnOn() {
    const value = `{address: ${firstName}, slots: 2}`;
    const run = this.start(['site', 'set', 'engines.swarm', value]);
    await run.shows('Apply it? [y/N]');
    run.type(`y${keys.enter}`);
    return await run.end();
  }

  /** Makes a backup of the first server. */
  async backUp(): Promise<void> {
    const { host } = this.#first;
    const init = this.start('backup init');
    await init.shows('The key of this server');
    await this.#authorise(this.#first);
    init.type(`y${keys.enter}`);
    await init.shows('Type the last group');
    const password = await host.output('cat /etc/landfall/backup/password');
    init.type(`${password.trim().split('-').at(-1)}${keys.enter}`);
    const { status, text } = await init.end();
    if (status !== 0) throw new Error(text);
    await host.output('landfall backup run', { limit: 300 });
  }

  /** Destroys the first server, and restores its backup on a new one, which then installs itself. */
  async restoreElsewhere(): Promise<Premises> {
    const old = this.#first;
    const password = (await old.host.output('cat /etc/landfall/backup/password')).trim();
    await old.host.remove();
    const engines = { swarm: { address: firstName, slots: 2 } };
    const fresh = await old.another({ engines, restore: { from: this.#keeper.target } });
    this.#first = fresh;
    for (const name of [firstName, chatName]) old.cloud.names.set(name, fresh.host.addresses);
    await fresh.host.waitFor(`grep -Eqs '"waitsFor": ?"restore"' /run/landfall/status.json`, 300);
    const restore = this.start('restore');
    await restore.shows('The key of this server');
    await this.#authorise(fresh);
    restore.type(`y${keys.enter}`);
    await restore.shows('Password of the backups');
    restore.type(`${password}${keys.enter}`);
    await restore.shows('Restore it on this server?');
    restore.type(`y${keys.enter}`);
    const { status, text } = await restore.end();
    if (status !== 0) throw new Error(text);
    return fresh;
  }

  async #authorise({ host }: Premises): Promise<void> {
    const key = await host.output('cat /etc/landfall/backup/id_ed25519.pub');
    await this.#keeper.authorise(`restrict ${key}`);
  }

  node(name: string): Premises {
    const found = this.#nodes.get(name);
    if (!found) throw new Error(`the node ${name} was not booted`);
    return found;
  }

  /** Boots engine nodes from a site with two lines, and waits for all first boots. */
  async bootNodes(...names: readonly string[]): Promise<void> {
    const site: SiteParts = { role: 'engine-node' };
    // One after the other, because they use one folder to render their user-data.
    for (const name of names) this.#nodes.set(name, await this.first.neighbour(site));
    await Promise.all([
      this.first.comeUp(printed('first')),
      ...names.map((name) => this.node(name).comeUp(printed(name))),
    ]);
  }

  /** Starts a command of `landfall` on a terminal of a server. */
  start(words: string | readonly string[], { host }: Premises = this.first): TerminalRun {
    return startOnServer(this.#dependencies, host, words);
  }

  /** Returns a new token for a name. */
  async token(name: string): Promise<string> {
    const text = await this.first.host.output(`landfall node token ${name} --yes --json`);
    return JSON.parse(text).token;
  }

  /** Types a token on a node, and returns how the command ended. */
  async join(name: string, token: string) {
    const run = this.start('node join', this.node(name));
    await run.shows('Token of this node (hidden): ');
    run.type(`${token}${keys.enter}`);
    return await run.end();
  }

  /** Returns the nodes as `landfall node` lists them. */
  async list(): Promise<ListedNode[]> {
    return JSON.parse(await this.first.host.output('landfall node list --json')).nodes;
  }

  /** Returns what `landfall engines list` reports. */
  async engines(): Promise<BalancerState> {
    return JSON.parse(await this.first.host.output('landfall engines list --json'));
  }

  /** Returns the requests of each server, by its name. */
  async inFlight(): Promise<Record<string, number>> {
    const { servers } = await this.engines();
    return Object.fromEntries(servers.map((server) => [server.name, server.inFlight]));
  }

  /** Waits until every server works on this many requests. */
  async reaches(inFlight: Readonly<Record<string, number>>): Promise<void> {
    await expect
      .poll(() => this.inFlight(), { timeout: 60_000, interval: 300 })
      .toMatchObject(inFlight);
  }

  /** Waits until HAProxy has a state for a server. Returns the milliseconds. */
  async becomes(name: string, state: 'up' | 'down' | 'draining', timeout = 120_000) {
    const began = performance.now();
    const now = async () =>
      (await this.engines()).servers.find((server) => server.name === name)?.state;
    await expect.poll(now, { timeout, interval: 300 }).toBe(state);
    return performance.now() - began;
  }

  /** Waits until HAProxy's log says that a server of the Swarm is down. Returns when, as `Date.now()`. */
  async whenDown(since: number): Promise<number> {
    const log = `docker logs --timestamps --since ${new Date(since).toISOString()} landfall-balancer 2>&1`;
    const text = await this.first.host.waitFor(
      `${log} | grep 'generate-[0-9]*/swarm[0-9]* is .*DOWN'`,
      60,
    );
    return Date.parse(text.split(' ')[0] ?? '');
  }

  async close(): Promise<void> {
    await this.#first.close();
  }
}

/** Prints the stages of a first boot, with the name of the server. */
function printed(name: string) {
  return printStages((line) => process.stderr.write(`  ${name.padEnd(6)}${line}\n`));
}
