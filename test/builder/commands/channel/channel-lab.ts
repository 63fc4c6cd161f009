import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { verifyChannel } from '#contract/channel/newest.ts';
import type { TrustAnchor } from '#contract/trust/anchor.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { channelCommand } from '../../../../builder/commands/channel/channel.ts';
import { trustCommand } from '../../../../builder/commands/channel/trust.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { type KeyPair, releaseKey } from '../../../simulator/keys.ts';
import { runCommand, terminalIn } from '../terminal.ts';

/** A folder with releases, a channel and keys, as a maintainer has it. */
export class ChannelLab {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<ChannelLab> {
    return new ChannelLab(await mkdtemp(join(tmpdir(), 'landfall-channel-')));
  }

  /** Writes a bundle, such as `v1.1.0/landfall-1.1.0-amd64.tar`. */
  async addBundle(path: string, change: Partial<Release>): Promise<void> {
    const bundle = makeBundle({ release: (release) => ({ ...release, ...change }) });
    await this.write(path, bundle);
  }

  /** Writes a key pair. */
  async addKey(name: string, { privateKey, public: key }: KeyPair): Promise<void> {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
    await writeFile(join(this.folder, `${name}.key`), pem, { mode: 0o600 });
    await this.write(`${name}.pub`, publicKeyPem(key));
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), content);
  }

  async read(path: string): Promise<Buffer> {
    return await readFile(join(this.folder, path));
  }

  /** Runs `landfall channel`. Returns its output. */
  channel(...args: string[]): Promise<string> {
    return this.#run(channelCommand, args);
  }

  /** Runs `landfall trust`. Returns its output. */
  trust(...args: string[]): Promise<string> {
    return this.#run(trustCommand, args);
  }

  /** Reads the published channel as a server does. */
  async asServer(anchor: TrustAnchor) {
    const signature = await this.read('stable/channel.json.sig');
    const bytes = await this.read('stable/channel.json');
    return verifyChannel({ bytes, signature }, anchor, 'landfall');
  }

  async #run(command: Parameters<typeof runCommand>[0], args: string[]): Promise<string> {
    const terminal = terminalIn(this.folder);
    await runCommand(command, terminal, ...args);
    return terminal.out();
  }
}

/** A lab with two releases, of which the older has both kinds of bundles. */
export async function channelLab(): Promise<ChannelLab> {
  const lab = await ChannelLab.open();
  await lab.addKey('release', releaseKey);
  const facts = { updatesFrom: null, models: [] };
  const first = { ...facts, version: '1.0.0' };
  await lab.addBundle('v1.0.0/landfall-1.0.0-amd64.tar', first);
  await lab.addBundle('full-v1.0.0/landfall-1.0.0-amd64.tar', { ...first, kind: 'full' });
  await lab.addBundle('v1.1.0/landfall-1.1.0-amd64.tar', { ...facts, version: '1.1.0' });
  return lab;
}
