import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import {
  ReleaseBlobs,
  startLoopbackRegistry,
} from '../../../appliance/stages/images/loopback-registry.ts';
import { providerKey } from '../../appliance/relay/provider.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { BuilderRig } from '../builder/builder-rig.ts';
import { needs } from '../needs.ts';
import { RelayContainers } from './relay-containers.ts';

/** Clients at once, each on a connection of its own; the relay keeps 256 connections. */
const clients = 512;
/** Milliseconds for which they send requests. */
const short = 15_000;
/** The same for all kinds of requests, of which a soak sends more: `LANDFALL_SOAK_SECONDS=1800`. */
const long = Number(process.env.LANDFALL_SOAK_SECONDS ?? 15) * 1000;
/** Bytes of memory, of the 192 MiB that the container has. */
const maxMemory = 160 * 2 ** 20;
/** Seconds that Docker allows the health check of the image. */
const maxHealth = 5;

const mixed = 'all kinds of requests';
const hello = { model: 'tiny', messages: [{ role: 'user', content: 'hello' }] };

/** What each client sends in turn. */
const bodies: Readonly<Record<string, readonly string[]>> = {
  /** A conversation of 2 MB, as coding agents send it. */
  'large conversations': [
    JSON.stringify({
      ...{ model: 'tiny', max_tokens: 10 },
      messages: [{ role: 'user', content: 'Write forty words about the sea. '.repeat(60_000) }],
    }),
  ],
  /** As many members as fit: small to send, a hundred times as large when it is parsed. */
  'bodies of a million members': [
    `{"model":"tiny","messages":[],${Array.from(
      { length: 500_000 },
      (_, at) => `"a${at}":${at % 10}`,
    ).join(',')}}`,
  ],
  /** Whole answers, streams, streams that the client leaves (`leave`), and a large body now and then. */
  [mixed]: [
    ...[1, 2, 3, 4].map((tokens) => JSON.stringify({ ...hello, max_tokens: tokens })),
    ...[1, 2, 3].map((tokens) => JSON.stringify({ ...hello, stream: true, max_tokens: tokens })),
    ...['leave', 'leave'].map((user) => JSON.stringify({ ...hello, stream: true, user })),
    JSON.stringify({ ...hello, max_tokens: 1, user: 'x'.repeat(2 ** 18) }),
  ],
};

const real = needs('registry', 'engine', 'curl');
const name = 'landfall-0.1.0-amd64';

real.describe('the container of the relay', () => {
  let rig: BuilderRig;
  let containers: RelayContainers;
  let image: string;

  beforeAll(async () => {
    rig = new BuilderRig(join(await workFolder(), 'builder'), real.registry);
    await rig.prepare({ relay: 'node:24.22.3-alpine3.24' });
    const file = join(rig.folder, 'appliance.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('alpine3.24"', 'alpine3.24", program: relay'));
    await rig.landfall([
      ...['build', '--thin', '--key', 'release.key', '--output', 'thin', '--store', 'store'],
      ...['--mirror', `docker.io=http://${real.registry}`],
    ]);
    const release = decodeRelease(await rig.read('thin', `${name}.release.json`));
    const [relay] = release.images;
    if (!relay) throw new Error('the bundle has no relay');
    const unpacked = join(rig.folder, 'unpacked');
    await mkdir(unpacked);
    await execa('tar', ['-xf', join(rig.folder, 'thin', `${name}.tar`), '-C', unpacked]);
    containers = await RelayContainers.open(real.engine);
    const registry = await startLoopbackRegistry(new ReleaseBlobs(release, unpacked));
    image = localImage(relay);
    await containers.pull(`${registry.host}/relay@${relay.manifest}`, image);
    await registry.close();
  });
  afterAll(async () => {
    await containers?.close();
    rig?.close();
  });

  it.each(Object.entries(bodies))(
    'stays healthy within its memory with 512 clients that send %s',
    async (name, sent) => {
      const duration = name === mixed ? long : short;
      const provider = await startProvider(containers.gateway);
      const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
      const usage = await containers.makeUsageFolder();
      const settings = {
        providers: { openai: { base_url: provider.base, key_file: 'keys/openai' } },
        keys: keys.map((name) => ({
          ...{ name, sha256: sha256Hex(name) },
          limits: { requests_per_minute: 100_000 },
          budget: { tokens_per_day: 1e12 },
        })),
        usage_folder: '/var/lib/landfall/relay-usage',
      };
      const { container, url } = await containers.startRelay(
        image,
        settings,
        { 'keys/openai': `${providerKey}\n` },
        [`${usage}:/var/lib/landfall/relay-usage`],
      );
      await containers.listens(container);
      const end = performance.now() + duration;
      const statuses = new Map<number, number>();
      const flood = Array.from({ length: clients }, async (_, index) => {
        for (let turn = index; performance.now() < end; turn += 1) {
          const body = sent[turn % sent.length] ?? '';
          const status = await send(url, `key-${index % keys.length}`, body);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      const seen = { memory: 0, health: 0, half: 0 };
      do {
        const { State } = await container.inspect();
        if (!State.Running) break;
        seen.health = Math.max(seen.health, await secondsOfHealth(State.Pid));
        const { program, connections } = await containers.memoryOf(container);
        seen.memory = Math.max(seen.memory, program + connections);
        if (performance.now() < end - duration / 2) seen.half = seen.memory;
      } while (performance.now() < end);
      await Promise.all(flood);
      provider.close();
      const figures = { ...seen, statuses: Object.fromEntries(statuses) };
      process.stderr.write(`  ${JSON.stringify(figures)}\n`);
      const { State } = await container.inspect();
      expect(State).toMatchObject({ Running: true, OOMKilled: false });
      // What Docker's own checks found, one each second.
      expect(State.Health).toMatchObject({ Status: 'healthy', FailingStreak: 0 });
      await container.stop({ t: 10 });
      expect(statuses.get(sent.join().includes('"a1"') ? 400 : 200)).toBeGreaterThan(0);
      expect(seen.memory).toBeGreaterThan(0);
      expect(seen.memory).toBeLessThan(maxMemory);
      expect(seen.health).toBeLessThan(maxHealth);
    },
    long + 180_000,
  );
});

/** Returns the seconds that a healthy response takes in the container, to a process that does nothing else. */
async function secondsOfHealth(container: number): Promise<number> {
  const format = '%{http_code} %{time_total}';
  const url = 'http://127.0.0.1:8080/health';
  const { stdout } = await execa(
    'nsenter',
    ['-t', `${container}`, '-n', 'curl', '-s', '-o', '/dev/null', '-w', format, url],
    { reject: false },
  );
  const [status, seconds] = stdout.split(' ').map(Number);
  return status === 200 ? (seconds ?? Infinity) : Infinity;
}

/** Starts a provider that reads each request and answers with one word. */
async function startProvider(host: string) {
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' } }];
  const answer = JSON.stringify({ object: 'chat.completion', choices, usage });
  const chunk = JSON.stringify({ object: 'chat.completion.chunk', choices: [], usage });
  const server = createServer(async (incoming, outgoing) => {
    let streams = false;
    incoming.on('data', (bytes: Buffer) => {
      streams ||= bytes.includes('"stream":true');
    });
    await once(incoming, 'end').catch(() => {});
    outgoing.on('error', () => {});
    if (streams) {
      outgoing.setHeader('content-type', 'text/event-stream');
      for (let sent = 0; sent < 20; sent += 1) {
        outgoing.write(`data: ${chunk}\n\n`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      outgoing.end('data: [DONE]\n\n');
      return;
    }
    outgoing.setHeader('content-type', 'application/json').end(answer);
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { base: `http://${host}:${port}/v1`, close };
}

const agent = new Agent({ keepAlive: true, maxSockets: clients });

/** Returns the status of a request; 0 if its connection was closed. */
function send(url: string, key: string, body: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers });
    sent.on('error', () => resolve(0));
    sent.on('response', (response) => {
      response.on('error', () => resolve(0)).resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      if (body.includes('"leave"')) response.once('data', () => sent.destroy());
    });
    sent.end(body);
  });
}
