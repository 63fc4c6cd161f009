import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { type Channel, encodeChannel } from '#contract/channel/channel.ts';
import { decodeAnchor, type TrustRotation } from '#contract/trust/anchor.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { encodeRotation } from '#contract/trust/rotation.ts';
import { readText } from '../../../../appliance/server/host/files.ts';
import { serve } from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { type KeyPair, recoveryKey, releaseKey, signDer } from '../../../simulator/keys.ts';
import { Receiver, targetFor } from '../../../stand-ins/alert-receivers/receiver.ts';
import { contextFor, imageOf } from '../../context.ts';
import { withSpace } from '../../disk-settings.ts';
import { aChannel, channelRelease } from '../../shared/contract/channel/a-channel.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

/** A folder that maintainers publish, on a web server. */
export class PublishedFolder {
  readonly server: FaultyServer;
  /** Called with the number of each request, before it is answered. */
  onRequest: (count: number) => void = () => {};
  readonly #files = new Map<string, Buffer>();
  #count = 0;

  private constructor(server: FaultyServer) {
    this.server = server;
    server.answer((visit) => this.#answer(visit));
  }

  static async start(): Promise<PublishedFolder> {
    return new PublishedFolder(await FaultyServer.start({}));
  }

  /** The URL of the channel. */
  get channel(): string {
    return `${this.server.origin}/landfall/stable/`;
  }

  put(path: string, bytes: Uint8Array): void {
    this.#files.set(`/landfall/${path}`, Buffer.from(bytes));
  }

  remove(path: string): void {
    this.#files.delete(`/landfall/${path}`);
  }

  /** Publishes a channel, signed by this key. */
  publish(change: Partial<Channel> = {}, key: KeyPair = releaseKey): void {
    const bytes = encodeChannel(aChannel(change));
    this.put('stable/channel.json', bytes);
    this.put('stable/channel.json.sig', signDer(bytes, key));
  }

  /** Publishes a rotation of the keys. */
  rotate(change: Partial<TrustRotation>, key: KeyPair = recoveryKey): void {
    const bytes = encodeRotation({
      type: 'landfall-trust',
      schema: 1,
      product: 'landfall',
      trust: 1,
      created: '2026-11-01T00:00:00Z',
      release: [releaseKey.public.spki],
      recovery: recoveryKey.public.spki,
      revoked: [],
      floor: null,
      ...change,
    });
    const name = `trust/${change.trust ?? 1}.json`;
    this.put(name, bytes);
    this.put(`${name}.sig`, signDer(bytes, key));
  }

  #answer(visit: Parameters<Handler>[0]): void {
    this.#count += 1;
    this.onRequest(this.#count);
    const bytes = this.#files.get(visit.url.pathname);
    if (bytes) void serve(bytes)(visit);
    else visit.response.writeHead(404).end();
  }
}

/** A release 1.1.0 with another image of the UI, and its entry in a channel. */
export function nextRelease() {
  const release: Release = {
    ...makeRelease(tinyFiles),
    version: '1.1.0',
    kind: 'thin',
    models: [],
    images: [
      imageOf('engine', 1000),
      imageOf('ui', 2000, {
        index: `sha256:${'b'.repeat(64)}`,
        manifest: `sha256:${'b'.repeat(64)}`,
      }),
    ],
  };
  const bytes = encodeRelease(release);
  const entry = channelRelease('1.1.0');
  const thin = { ...entry.bundles.amd64?.thin, manifest: sha256Hex(bytes) } as never;
  return { bytes, entry: { ...entry, bundles: { amd64: { thin } } } };
}

interface LabOptions {
  /** Files of the server, by path; default: of one whose disk has space. */
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: Answers;
  /** Settings of the site, besides the channels. */
  readonly updates?: object;
}

/** A server with two mirrors of one channel, and a target of alerts. */
export async function updateLab(
  language: 'en' | 'zh' = 'en',
  { files: more = withSpace, answers = {}, updates = {} }: LabOptions = {},
) {
  const [first, second, receiver] = await Promise.all([
    PublishedFolder.start(),
    PublishedFolder.start(),
    Receiver.start('ntfy'),
  ]);
  const { target, files } = targetFor('ntfy', receiver.origin);
  const host = TemporaryHost.with(
    {
      'etc/hostname': 'vps-1\n',
      'etc/landfall/keys/release-1.pem': publicKeyPem(releaseKey.public),
      'etc/landfall/keys/recovery.pem': publicKeyPem(recoveryKey.public),
      ...files,
      ...more,
    },
    answers,
  );
  const context = contextFor(host, {
    site: {
      language,
      alerts: [target],
      updates: { channels: [first.channel, second.channel], ...updates },
    },
    release: { kind: 'thin', images: [imageOf('engine', 1000), imageOf('ui', 2000)] },
  });
  const anchor = async () => decodeAnchor((await readText(host, 'etc/landfall/trust.json')) ?? '');
  const close = async () => {
    await Promise.all([first.server.close(), second.server.close(), receiver.close()]);
  };
  return { first, second, receiver, host, context, anchor, close };
}
