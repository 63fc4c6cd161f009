import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { Pebble } from '../../integration/acme/pebble.ts';
import type { GivenModel } from '../../integration/builder/builder-rig.ts';
import { Afterwards } from '../../setup/afterwards.ts';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { startRegistryFrom } from '../../setup/images/registry-storage.ts';
import { tinyEmbeddingGguf } from '../../stand-ins/engine/gguf/tiny-embedding-gguf.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { type Provider, startProvider } from '../../stand-ins/provider/provider.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { Premises, type SiteParts } from '../boot/premises.ts';
import { secretsOf } from '../found-secrets.ts';
import type { Cloud, CloudDependencies } from '../network/cloud.ts';
import { listenerState } from './listener-state.ts';
import { printStages } from './print-stages.ts';

/** Host names of the components. */
export const names = {
  ui: 'chat.example.com',
  chat: 'next.example.com',
  lobe: 'lobe.example.com',
  relay: 'api.example.com',
  docs: 'docs.example.com',
} as const;

/** The chat model in the bundle, besides one for document search. */
export const model = 'tiny:1b';

/** Prints a line of progress. */
type Say = (line: string) => void;

export interface WholeStackDependencies {
  readonly dependencies: CloudDependencies;
  readonly distribution: HostDistribution;
  /** Prepared dependencies, by the names that tests use. */
  readonly registryStorage: string;
  readonly composePlugin: string;
  readonly pebble: string;
  /** The chat model; default: one without meaning. */
  readonly chat?: GivenModel;
  /** Further fields of the site. */
  readonly site?: SiteParts;
}

/**
 * The complete product on one server: built from a registry that is stopped before the server
 * boots, with certificates from an ACME authority, and a provider behind its relay.
 */
export class WholeStack {
  readonly premises: Premises;
  readonly pebble: Pebble;
  readonly provider: Provider;
  /** API key of the server at the provider. */
  readonly providerKey: string;
  /** Result of a connection to the registry before the server booted. */
  readonly registryAtBoot: 'listening' | 'closed';
  readonly #say: Say;
  readonly #afterwards: Afterwards;

  private constructor(premises: Premises, around: Around, say: Say, afterwards: Afterwards) {
    this.#say = say;
    this.premises = premises;
    this.pebble = around.pebble;
    this.provider = around.provider;
    this.providerKey = around.providerKey;
    this.registryAtBoot = around.registryAtBoot;
    this.#afterwards = afterwards;
  }

  /**
   * Builds the bundle and boots a server with it. Returns while the server installs itself.
   * @param say prints progress
   */
  static async open(given: WholeStackDependencies, say: Say): Promise<WholeStack> {
    const afterwards = new Afterwards();
    try {
      return await WholeStack.#build(given, say, afterwards);
    } catch (error) {
      await afterwards.run();
      throw error;
    }
  }

  static async #build(
    {
      dependencies,
      distribution,
      registryStorage,
      composePlugin,
      pebble: packages,
      chat = { name: model, bytes: tinyGguf() },
      site = {},
    }: WholeStackDependencies,
    say: Say,
    afterwards: Afterwards,
  ): Promise<WholeStack> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-whole-stack-'));
    afterwards.add(() => rm(folder, { recursive: true, force: true }));
    const registry = await startRegistryFrom(registryStorage, join(folder, 'registry'));
    afterwards.add(() => registry.stop());
    say(`  bundle          signed, from the registry at ${registry.answer}`);
    const { promise, resolve } = Promise.withResolvers<Around>();
    const bundle = await HostBundle.shipped({
      registry: registry.answer,
      plugin: composePlugin,
      models: [chat, { name: 'tiny-embedding:1b', bytes: tinyEmbeddingGguf(), role: 'embedding' }],
      folder: join(folder, 'builder'),
    });
    const premises = await Premises.open({
      dependencies,
      distribution,
      bundle,
      // Checked after the build and before the server boots.
      site: async (cloud) => {
        await registry.stop();
        const registryAtBoot = await listenerState(registry.answer);
        say(`  registry        stopped: port ${registryAtBoot}`);
        const around = { ...(await surroundings(cloud, packages, afterwards)), registryAtBoot };
        resolve(around);
        return { ...siteWith(around), ...site };
      },
    });
    afterwards.add(() => premises.close());
    const { v4, v6 } = premises.host.addresses;
    say(`  server          a fresh ${distribution} at ${v4} and ${v6} booted with its user-data`);
    const stack = new WholeStack(premises, await promise, say, afterwards);
    for (const name of Object.values(names)) {
      await stack.pebble.setRecord(name, [premises.host.addresses.v4]);
    }
    return stack;
  }

  /** Waits for the end of the first boot, then sets a provider key as an administrator does. */
  async comeUp(): Promise<Status> {
    const status = await this.premises.comeUp(printStages(this.#say));
    const setting = ['landfall', 'secret', 'set', 'OPENAI_API_KEY'];
    await this.premises.host.output(setting, { input: this.providerKey });
    return status;
  }

  /** Returns the secrets of the server by name, as root reads them. */
  async secrets(): Promise<Readonly<Record<string, string>>> {
    return await secretsOf(this.premises.host);
  }

  /** Removes everything. */
  async close(): Promise<void> {
    await this.#afterwards.run();
  }
}

interface Around {
  readonly pebble: Pebble;
  readonly provider: Provider;
  readonly providerKey: string;
  readonly registryAtBoot: 'listening' | 'closed';
}

/** Starts the services besides the server, at an address that it reaches. */
async function surroundings(
  cloud: Cloud,
  packages: string,
  afterwards: Afterwards,
): Promise<Omit<Around, 'registryAtBoot'>> {
  const address = cloud.network.gateway.v4;
  const providerKey = `sk-${randomBytes(12).toString('hex')}`;
  const provider = await startProvider({ key: providerKey, host: address });
  afterwards.add(() => provider.close());
  const pebble = await Pebble.start(packages, address);
  afterwards.add(() => pebble.stop());
  return { pebble, provider, providerKey };
}

/** A site with every feature enabled. */
function siteWith({ pebble, provider }: Around): SiteParts {
  return {
    admin: { email: 'ops@example.org' },
    hosts: names,
    components: { chat: true, lobe: true },
    providers: { openai: { base_url: provider.baseUrl } },
    relay: { local: true },
    tls: {
      mode: 'acme',
      accept_terms: true,
      server: { url: pebble.directory, ca: pebble.ca },
    },
  };
}
