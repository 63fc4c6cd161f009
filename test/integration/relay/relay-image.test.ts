import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { execa } from 'execa';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import type { Release, ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readStoredUsage } from '../../../appliance/relay/node/usage/stored-usage.ts';
import {
  ReleaseBlobs,
  startLoopbackRegistry,
} from '../../../appliance/stages/images/loopback-registry.ts';
import { json, Provider, providerKey } from '../../appliance/relay/provider.ts';
import { relayKey } from '../../appliance/relay/rig.ts';
import {
  clients,
  closeStands,
  settingsFor,
  startStands,
} from '../../appliance/relay/strict/premises.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { BuilderRig } from '../builder/builder-rig.ts';
import { needs } from '../needs.ts';
import { waiting } from '../stack/waiting.ts';
import { RelayContainers } from './relay-containers.ts';
import { FloodingClients, floodingProvider } from './relay-flood.ts';

const real = needs('registry', 'engine', 'skopeo');
const name = 'landfall-0.1.0-amd64';

real.describe('the image of the relay', () => {
  let rig: BuilderRig;
  let containers: RelayContainers;
  const releases: Record<'thin' | 'full', Release | undefined> = {
    thin: undefined,
    full: undefined,
  };

  beforeAll(async () => {
    rig = new BuilderRig(join(await workFolder(), 'builder'), real.registry);
    await rig.prepare({ relay: 'node:24.22.3-alpine3.24', tinyproxy: 'kalaksi/tinyproxy:1.7' });
    const file = join(rig.folder, 'appliance.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('alpine3.24"', 'alpine3.24", program: relay'));
    for (const kind of ['full', 'thin'] as const) {
      await rig.landfall([
        ...['build', `--${kind}`, '--key', 'release.key', '--output', kind, '--store', 'store'],
        ...['--mirror', `docker.io=http://${real.registry}`],
      ]);
      releases[kind] = decodeRelease(await rig.read(kind, `${name}.release.json`));
      await mkdir(join(rig.folder, `unpacked-${kind}`));
      const archive = join(rig.folder, kind, `${name}.tar`);
      await execa('tar', ['-xf', archive, '-C', join(rig.folder, `unpacked-${kind}`)]);
    }
    containers = await RelayContainers.open(real.engine);
  });
  afterAll(async () => {
    await containers.close();
    rig.close();
  });

  function relayOf(kind: 'thin' | 'full'): ReleaseImage {
    const found = releases[kind]?.images.find(({ component }) => component === 'relay');
    if (!found) throw new Error(`the ${kind} bundle has no relay`);
    return found;
  }

  /** The name of the image on a server. */
  const image = () => localImage(relayOf('thin'));

  it('builds the same relay image in a thin and a full bundle, and names its base', () => {
    expect(relayOf('thin')).toEqual(relayOf('full'));
    expect(relayOf('full')).toMatchObject({
      reference: image(),
      base: { reference: 'node:24.22.3-alpine3.24' },
    });
    expect(releases.thin?.images.map(({ component }) => component)).toEqual(['relay', 'tinyproxy']);
  });

  it('builds a relay image smaller than 80 MB', () => {
    expect(relayOf('full').size).toBeLessThan(80e6);
  });

  it.each(['thin', 'full'] as const)(
    'writes a relay image that skopeo finds in an unpacked %s bundle',
    async (kind) => {
      const layout = `oci:${join(rig.folder, `unpacked-${kind}`)}:${image()}`;
      const inspected = JSON.parse((await execa(real.skopeo, ['inspect', layout])).stdout);
      expect(inspected.Digest).toBe(relayOf(kind).manifest);
      // Copying reads every blob and verifies its digest.
      const copy = `oci:${join(rig.folder, `copied-${kind}`)}:relay`;
      await execa(real.skopeo, ['copy', '--preserve-digests', layout, copy]);
      const config = JSON.parse((await execa(real.skopeo, ['inspect', '--config', layout])).stdout);
      expect(config.config.User).toBe('65532:65532');
    },
  );

  it('builds a byte-identical relay image from another store at another time', async () => {
    await rig.landfall(
      [
        ...['build', '--full', '--frozen', '--key', 'release.key', '--output', 'again'],
        ...['--store', 'other', '--mirror', `docker.io=http://${real.registry}`],
      ],
      { SOURCE_DATE_EPOCH: '1700000000', TZ: 'Asia/Shanghai' },
    );
    const again = decodeRelease(await rig.read('again', `${name}.release.json`));
    expect(again.images).toEqual(releases.full?.images);
  });

  it('serves the relay image from the files of a thin bundle to Docker, without a registry', async () => {
    const { thin } = releases;
    if (!thin) throw new Error('there is no thin bundle');
    const shelf = new ReleaseBlobs(thin, join(rig.folder, 'unpacked-thin'));
    const registry = await startLoopbackRegistry(shelf);
    try {
      await containers.pull(`${registry.host}/relay@${relayOf('thin').manifest}`, image());
    } finally {
      await registry.close();
    }
    const { Id, Config } = await containers.docker.getImage(image()).inspect();
    const { config, manifest } = relayOf('thin');
    expect([config, manifest]).toContain(Id);
    expect(Config.User).toBe('65532:65532');
  });

  const login = 'me:a-proxy-password';
  const ways = {
    directly: async () => ({ route: { mode: 'direct' }, close: async () => {} }),
    'through a real tinyproxy': async (port: number) => {
      const tinyproxy = 'landfall.local/tinyproxy:test';
      await containers.pull(`${real.registry}/kalaksi/tinyproxy:1.7`, tinyproxy);
      const proxy = await containers.startTinyproxy(tinyproxy, port, login);
      return {
        route: { mode: 'http-proxy', url: `http://${login}@${proxy}` },
        close: async () => {},
      };
    },
    'through SOCKS5': async () => {
      const proxy = await SocksProxy.start({ login, address: containers.gateway });
      const route = { mode: 'socks5', url: `socks5h://${login}@${proxy.host}` };
      return { route, close: () => proxy.close() };
    },
  };

  it.each(Object.entries(ways))(
    'serves %s, with the restrictions of the stack',
    async (_way, open) => {
      const authority = new CertificateAuthority();
      const provider = await Provider.start(
        authority.issue({ addresses: [containers.gateway] }),
        containers.gateway,
      );
      const way = await open(provider.port);
      const settings = {
        providers: {
          openai: { base_url: provider.base(containers.gateway), key_file: 'keys/openai' },
        },
        keys: [{ name: 'me', sha256: sha256Hex(relayKey) }],
        route: way.route,
        ca_file: 'ca.pem',
      };
      const files = { 'keys/openai': `${providerKey}\n`, 'ca.pem': authority.cert };
      const relay = await containers.startRelay(image(), settings, files);
      try {
        await containers.listens(relay.container);
        const client = new OpenAI({ apiKey: relayKey, baseURL: `${relay.url}/openai/v1` });
        expect((await client.models.list()).data).toHaveLength(1);
        const words: string[] = [];
        const messages = [{ role: 'user' as const, content: 'one two three' }];
        const ask = { model: 'tiny', messages, stream: true as const };
        for await (const { choices } of await client.chat.completions.create(ask))
          words.push(choices[0]?.delta.content ?? '');
        expect(words).toEqual(['one', 'two', 'three', '']);

        const shown = JSON.stringify(await relay.container.inspect());
        // A request is logged after its last byte.
        const log = await vi.waitFor(async () => {
          const text = await containers.logsOf(relay.container);
          expect(text).toContain('/chat/completions');
          return text;
        }, 30_000);
        for (const secret of [providerKey, relayKey, 'a-proxy-password']) {
          expect(shown).not.toContain(secret);
          expect(log).not.toContain(secret);
        }
        const { memory_stats: memory } = await relay.container.stats({ stream: false });
        // Half of its limit. The heap of V8 differs by tens of megabytes between runs.
        expect(memory.usage - pageCacheOf(memory)).toBeLessThan(memory.limit / 2);
      } catch (cause) {
        throw new Error(await containers.logsOf(relay.container), { cause });
      } finally {
        await relay.container.stop({ t: 10 });
        await way.close();
        await provider.close();
      }
      const { State } = await relay.container.inspect();
      expect(State).toMatchObject({ ExitCode: 0, OOMKilled: false });
    },
  );

  it('serves the official clients of every format and of local models', async () => {
    const host = containers.gateway;
    const stands = await startStands(host);
    const keys = [{ name: 'me', sha256: sha256Hex(relayKey) }];
    const names = ['openai', 'anthropic', 'gemini'] as const;
    const { providers, local } = settingsFor(stands, host);
    const files = names.map((name) => [`keys/${name}`, `${providerKey}\n`]);
    const withKeys = names.map((name) => [name, { ...providers[name], key_file: `keys/${name}` }]);
    const settings = { providers: Object.fromEntries(withKeys), local, keys };
    const relay = await containers.startRelay(image(), settings, Object.fromEntries(files));
    try {
      await containers.listens(relay.container);
      for (const [name, callsOf, listed] of clients) {
        const calls = callsOf(relay.url, relayKey);
        expect(await calls.list(), name).toEqual([listed]);
        expect(await calls.stream(), name).toEqual(['Hel', 'lo']);
        expect(await calls.tool(), name).toBe('weather');
      }
      expect(await containers.logsOf(relay.container)).not.toContain(relayKey);
    } finally {
      await relay.container.stop({ t: 10 });
      await closeStands(stands);
    }
  });

  it('refuses a key at its budget, also after a kill', async () => {
    const provider = await Provider.start(undefined, containers.gateway);
    const folder = await containers.makeUsageFolder();
    const budget = { tokens_per_day: 1000 };
    const settings = {
      providers: {
        openai: { base_url: provider.base(containers.gateway), key_file: 'keys/openai' },
      },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey), budget }],
      usage_folder: '/var/lib/landfall/relay-usage',
    };
    const files = { 'keys/openai': `${providerKey}\n` };
    const binds = [`${folder}:/var/lib/landfall/relay-usage`];
    const { container } = await containers.startRelay(image(), settings, files, binds);
    try {
      await containers.listens(container);
      const ask = async () => {
        const client = new OpenAI({
          apiKey: relayKey,
          baseURL: `${await containers.urlOf(container)}/openai/v1`,
        });
        const messages = [{ role: 'user' as const, content: 'hello' }];
        return client.chat.completions.create({ model: 'tiny', max_tokens: 900, messages });
      };
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' } }];
      const usage = { prompt_tokens: 5, completion_tokens: 895, total_tokens: 900 };
      provider.answerNext(json(200, { id: 'c1', object: 'chat.completion', choices, usage }));
      await ask();
      // The client of OpenAI does not retry: the provider gets one request.
      const refused = { status: 400, code: 'relay_budget_exceeded', type: 'insufficient_quota' };
      await expect(ask()).rejects.toMatchObject(refused);
      await container.kill();
      await container.start();
      await expect.poll(() => containers.healthOf(container), waiting).toBe('healthy');
      await expect(ask()).rejects.toMatchObject(refused);
      expect(provider.asked).toHaveLength(1);
    } finally {
      await container.stop({ t: 10 });
      await provider.close();
    }
  });

  it('counts the networks that the gateway names, and none that another container names', async () => {
    const provider = await Provider.start(undefined, containers.gateway);
    const folder = await containers.makeUsageFolder();
    const budget = { requests_per_day: 100 };
    const settings = {
      providers: {
        openai: { base_url: provider.base(containers.gateway), key_file: 'keys/openai' },
      },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey), budget }],
      usage_folder: '/var/lib/landfall/relay-usage',
      gateway: `my-gateway.${containers.networkName}`,
    };
    const files = { 'keys/openai': `${providerKey}\n` };
    const binds = [`${folder}:/var/lib/landfall/relay-usage`];
    const { container, url } = await containers.startRelay(image(), settings, files, binds);
    try {
      await containers.listens(container);
      const ask = (from: string, ...addresses: string[]) =>
        containers.askFrom(from, image(), url, relayKey, addresses);
      await ask('my-gateway', '203.0.113.7', '203.0.113.8', '203.0.114.7', '2001:db8::7');
      await ask('my-other', '198.51.100.7', '192.0.2.7');
    } finally {
      await container.stop({ t: 10 });
      await provider.close();
    }
    const stored = await readStoredUsage(folder, 65532);
    if (typeof stored === 'string') throw new Error(stored);
    // Three networks of clients, and that of the other container.
    expect(stored.ledger.networks.count('me', stored.ledger.today(Date.now()))).toBe(4);
  });

  it.each(['answers that no client reads', 'uploads that no provider reads'] as const)(
    'stays within its memory limit with all slots used by %s',
    async (flood) => {
      const provider = await floodingProvider(flood, containers.gateway);
      const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
      const settings = {
        providers: { openai: { base_url: provider.base, key_file: 'keys/openai' } },
        keys: keys.map((name) => ({ name, sha256: sha256Hex(name) })),
        timeouts: { client: 15 },
      };
      const files = { 'keys/openai': `${providerKey}\n` };
      const { container, url } = await containers.startRelay(image(), settings, files);
      await containers.listens(container);
      const clients = new FloodingClients(flood, 150, url, keys);
      try {
        await expect.poll(() => clients.away.size, waiting).toBe(150 - 64);
        let last = -1;
        const isStill = async () => {
          const earlier = last;
          last = (await containers.memoryOf(container)).connections;
          return last === earlier && last > 0;
        };
        await expect.poll(isStill, { ...waiting, interval: 1000 }).toBe(true);
        const { program, connections } = await containers.memoryOf(container);
        // Of 192 MiB. The heap of V8 differs by tens of megabytes: 163 MiB were seen on a busy machine.
        expect(program + connections).toBeLessThan(176 * 1024 ** 2);
        const { State } = await container.inspect();
        expect(State).toMatchObject({ Running: true, OOMKilled: false });
        if (flood === 'answers that no client reads') {
          const headers = { authorization: 'Bearer key-0' };
          const again = async () => (await fetch(`${url}/v1/models`, { headers })).status;
          await expect.poll(again, waiting).toBe(200);
        }
      } finally {
        clients.close();
        provider.close();
      }
    },
  );

  it("passes Docker's health check", async () => {
    const { container } = await containers.startRelay(image(), {}, {});
    expect(await containers.healthOf(container)).toBe('healthy');
  });

  it('does not start with settings that another user can write', async () => {
    const relay = await containers.startRelay(image(), { keys: [{ name: 'me', key: 'x' }] }, {});
    await relay.container.wait();
    const { State } = await relay.container.inspect();
    expect(State.ExitCode).toBe(3);
    expect(await containers.logsOf(relay.container)).toContain('CONFIG_INVALID');
  });
});

/**
 * The container that first reads Node's binary is charged for its page cache, which is reclaimable.
 */
function pageCacheOf({ stats }: Docker.MemoryStats): number {
  // `cache` in version 1 of control groups, `file` in version 2.
  const { cache, file = cache }: { cache?: number; file?: number } = stats;
  return file ?? 0;
}
