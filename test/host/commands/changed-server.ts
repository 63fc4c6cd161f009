import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { parse, stringify } from 'yaml';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { tinyEmbeddingGguf } from '../../stand-ins/engine/gguf/tiny-embedding-gguf.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { startProvider } from '../../stand-ins/provider/provider.ts';
import { chatSite } from '../boot/first-booted.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { Premises } from '../boot/premises.ts';
import type { FastHost } from '../machine/fast-host.ts';
import type { Cloud, CloudDependencies } from '../network/cloud.ts';
import { startOnServer } from './start-on-server.ts';

/** A second administrator, who has never logged in. */
export const extraKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl you@desk';

const relayName = 'api.example.com';

/** Changes of the site, each with a comment. */
export const sites = {
  /** What restarts the proxy only. */
  proxy: (site: Section) => ({
    ...site,
    hosts: { ...site.hosts, docs: 'docs.example.com' },
    tinyproxy: { domains: ['example.com'] },
    firewall: { allow: ['8443/tcp'] },
  }),
  more: (site: Section) => ({
    ...site,
    hosts: { ...site.hosts, chat: 'next.example.com' },
    components: { chat: true },
    models: ['tiny:1b', 'tiny:2b'],
    providers: { ...site.providers, second: { base_url: 'https://api.example.org/v1' } },
    relay: { keys: ['phone'] },
  }),
} as const;

type Section = Readonly<Record<string, object>>;

interface Dependencies {
  readonly dependencies: CloudDependencies;
  readonly registry: string;
  readonly composePlugin: string;
}

/** A provider whose streams stop after two words until they may go on. */
interface SlowProvider {
  readonly baseUrl: string;
  /** Resolves when a stream has sent two words. */
  readonly begun: Promise<void>;
  goOn(): void;
  close(): Promise<void>;
}

const providerKey = 'sk-provider';

/** A server with models and a provider, whose site is changed. */
export class ChangedServer {
  readonly premises: Premises;
  readonly provider: SlowProvider;
  readonly #dependencies: CloudDependencies;

  private constructor(premises: Premises, provider: SlowProvider, dependencies: CloudDependencies) {
    this.premises = premises;
    this.provider = provider;
    this.#dependencies = dependencies;
  }

  static async open(
    { dependencies, registry, composePlugin: plugin }: Dependencies,
    distribution: HostDistribution,
  ): Promise<ChangedServer> {
    const folder = join(await workFolder(), 'bundle');
    const bundle = await HostBundle.shipped({
      ...{ folder, registry, plugin },
      models: [
        { name: 'tiny:1b', bytes: tinyGguf() },
        { name: 'tiny:2b', bytes: tinyGguf(2) },
        { name: 'tiny-embedding:1b', bytes: tinyEmbeddingGguf(), role: 'embedding' },
      ],
    });
    let provider: SlowProvider | undefined;
    const site = async (cloud: Cloud) => {
      provider = await slowProvider(cloud.network.gateway.v4);
      return {
        ...chatSite,
        hosts: { ...chatSite.hosts, relay: relayName },
        models: ['tiny:1b'],
        providers: { openai: { base_url: provider.baseUrl } },
      };
    };
    const premises = await Premises.open({ dependencies, distribution, bundle, site });
    const server = new ChangedServer(premises, provider as unknown as SlowProvider, dependencies);
    try {
      await premises.comeUp();
      await server.host.output('landfall secret set OPENAI_API_KEY', { input: providerKey });
      await server.host.output(['landfall', 'site', 'add', 'admin.ssh_keys', extraKey, '--yes'], {
        limit: 900,
      });
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  get host(): FastHost {
    return this.premises.host;
  }

  /** Starts a command of `landfall` on a terminal of the server. */
  start(command: string | readonly string[], environment: readonly string[] = []) {
    return startOnServer(this.#dependencies, this.host, command, environment);
  }

  /** Writes a changed site to /root/site.yaml. */
  async write(change: (site: Section) => object): Promise<void> {
    const text = await this.host.output('cat /etc/landfall/site.yaml');
    await this.host.put('/root/site.yaml', `# Mine.\n${stringify(change(parse(text)))}`);
  }

  /** Returns when each container was started, by component. */
  async startTimes(): Promise<Record<string, string>> {
    const format = '{{.Name}} {{.State.StartedAt}}';
    const text = await this.host.output(
      `docker inspect --format '${format}' $(docker ps --quiet --filter name=landfall-)`,
    );
    return Object.fromEntries(
      text.split('\n').map((line) => line.replace('/landfall-', '').split(' ')),
    );
  }

  /**
   * Returns the digests of all files that a change of the site may write, without secrets, which stay for
   * a component that returns, and certificates, which are new for each set of names.
   */
  async fingerprint(): Promise<string[]> {
    const text = await this.host.output(
      'find /etc /var/lib/landfall/stack -type f ! -name "*.dpkg*" ! -name "motd*" ! -path "/etc/ssl/*" ! -path "*/secrets/*" ! -path "*/gateway/tls/*" ! -path "*/relay/keys/*" -print0 | sort -z | xargs -0 sha256sum',
    );
    return text.split('\n');
  }

  /** Sends a request that streams over the gateway. Resolves with the whole answer. */
  async openStream(): Promise<string> {
    const body = { model: 'stand-in-1', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
    const command = [
      'key=$(cat /etc/landfall/secrets/RELAY_KEY_OWNER)',
      `curl -skN --resolve ${relayName}:443:127.0.0.1 -H "Authorization: Bearer $key"`,
    ].join('; ');
    const data = `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
    return await this.host.output(
      `${command} ${data} https://${relayName}/openai/v1/chat/completions`,
      {
        limit: 600,
      },
    );
  }

  async close(): Promise<void> {
    await this.premises.close();
    await this.provider.close();
  }
}

/** Starts the server before all tests. Returns a function, because it is known only then. */
export function useChangedServer(
  given: Dependencies,
  distribution: HostDistribution,
): () => ChangedServer {
  let server: ChangedServer;
  beforeAll(async () => {
    server = await ChangedServer.open(given, distribution);
  });
  afterAll(() => server?.close());
  return () => server;
}

async function slowProvider(host: string): Promise<SlowProvider> {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const provider = await startProvider({
    ...{ key: providerKey, host },
    after: async (words) => {
      if (words < 2) return;
      begun.resolve();
      await gate.promise;
    },
  });
  return {
    baseUrl: provider.baseUrl,
    begun: begun.promise,
    goOn: gate.resolve,
    close: () => provider.close(),
  };
}
