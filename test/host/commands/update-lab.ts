import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { decodeChannel, encodeChannel } from '#contract/channel/channel.ts';
import { encodeAnchor, firstAnchor } from '#contract/trust/anchor.ts';
import { readPublicKey } from '#contract/trust/keys.ts';
import { serve } from '../../../builder/commands/serve.ts';
import { terminalIn } from '../../builder/commands/terminal.ts';
import { freePort } from '../../setup/free-port.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { Receiver, targetFor } from '../../stand-ins/alert-receivers/receiver.ts';
import { changedImages, type ReleaseChange } from '../boot/changed-images.ts';
import type { Premises } from '../boot/premises.ts';
import type { FastHost } from '../machine/fast-host.ts';

/** The folder of a maintainer beside a server, whose site has its channel, and a receiver of alerts. */
export class UpdateLab {
  readonly receiver: Receiver;
  readonly #premises: Premises;
  readonly #folder: string;
  readonly #listen: string;

  private constructor(premises: Premises, receiver: Receiver, folder: string, listen: string) {
    this.#premises = premises;
    this.receiver = receiver;
    this.#folder = folder;
    this.#listen = listen;
  }

  /** Opens the folder, and {@link addServer} with this server. */
  static async open(premises: Premises): Promise<UpdateLab> {
    const { host, cloud, bundle } = premises;
    const address = cloud.network.gateway.v4;
    const receiver = await Receiver.start('ntfy', undefined, address);
    const folder = join(await workFolder(), 'landfall');
    await mkdir(folder);
    const lab = new UpdateLab(premises, receiver, folder, `${address}:${await freePort()}`);
    for (const name of ['recovery', 'next']) await bundle.landfall(['keygen', '--output', name]);
    await lab.addServer(host);
    return lab;
  }

  /** Adds the channel and an alert target to the site of a server, and gives it a recovery key. */
  async addServer(host: FastHost): Promise<void> {
    const keyOf = async (name: string) =>
      readPublicKey(await readFile(this.#premises.bundle.path(name), 'utf8'));
    // As the first boot of a release with a recovery key writes it.
    const anchor = firstAnchor({
      release: [await keyOf('release.pub')],
      recovery: await keyOf('recovery.pub'),
    });
    await host.put('/etc/landfall/trust.json', encodeAnchor(anchor));
    const site = JSON.parse(await host.output('cat /etc/landfall/site.json'));
    const updates = { channels: [`http://${this.#listen}/stable/`] };
    const { target, files } = targetFor('ntfy', this.receiver.origin);
    const changed = { ...site, updates, alerts: [target] };
    await host.put('/etc/landfall/site.json', JSON.stringify(changed));
    for (const [path, secret] of Object.entries(files)) await host.put(`/${path}`, secret, '0600');
  }

  /** Sets fields of `updates` in the site. */
  async setUpdates(change: Readonly<Record<string, string>>): Promise<void> {
    const { host } = this.#premises;
    const site = JSON.parse(await host.output('cat /etc/landfall/site.json'));
    const updates = { ...site.updates, ...change };
    await host.put('/etc/landfall/site.json', JSON.stringify({ ...site, updates }));
  }

  /** Adds a release to the channel. */
  async addRelease(version: string, change: Partial<Release> = {}): Promise<void> {
    const bundle = makeBundle({
      release: (release) => ({ ...release, updatesFrom: null, models: [], ...change, version }),
    });
    const folder = join(this.#folder, `v${version}`);
    await mkdir(folder);
    await writeFile(join(folder, `landfall-${version}-amd64.tar`), bundle);
    await this.#channel('add', folder);
  }

  /**
   * Builds the release of this server under another version with its keys, and adds it to the
   * channel.
   * @param change images that differ from those of this server
   * @param keys the release key that it names, and the key that signs it
   */
  async build(
    version: string,
    change: ReleaseChange = {},
    { release = 'release', signer = 'release' }: Partial<Record<'release' | 'signer', string>> = {},
  ): Promise<void> {
    const keys = `trust: { release: [${release}.pub], recovery: recovery.pub }\n`;
    const images = changedImages(change);
    const bundle = await this.#premises.bundle.rebuild(version, keys, images, signer);
    const folder = join(this.#folder, `v${version}`);
    await cp(dirname(bundle), folder, { recursive: true });
    await this.#channel('add', folder);
  }

  /** Returns the URL of a bundle in the published folder. */
  bundle(version: string): string {
    return `http://${this.#listen}/v${version}/landfall-${version}-amd64.tar`;
  }

  remove(version: string): Promise<void> {
    return this.#channel('remove', version);
  }

  /** Adds older releases up to this number, with the bundles of the oldest one. */
  async fillTo(count: number): Promise<void> {
    const path = join(this.#folder, 'stable/channel.json');
    const { channel } = decodeChannel(await readFile(path));
    const { releases } = channel;
    const [oldest] = releases.slice(-1);
    if (!oldest) throw new Error('the channel has no release');
    const older = Array.from({ length: count - releases.length }, (_, index) => ({
      ...oldest,
      version: `0.0.${count - index}`,
    }));
    await writeFile(path, encodeChannel({ ...channel, releases: [...releases, ...older] }));
  }

  withdraw(version: string, reason: string): Promise<void> {
    return this.#channel('withdraw', version, '--reason', reason);
  }

  /** Signs the channel. @param serial the one that it gets; default: the next */
  async sign(key: 'release' | 'next', serial?: number): Promise<void> {
    const path = join(this.#folder, 'stable/channel.json');
    const text = await readFile(path, 'utf8');
    if (serial !== undefined) {
      await writeFile(path, text.replace(/"serial":\d+/, `"serial":${serial - 1}`));
    }
    await this.#channel('sign', '--key', `${key}.key`);
  }

  /** Replaces the release key. */
  async rotate(): Promise<void> {
    const keys = ['--key', 'recovery.key', '--release-key', 'next.pub'];
    await this.#landfall('trust', 'rotate', '--folder', this.#folder, ...keys);
  }

  /** Publishes the folder with `landfall serve` while the unit of the timer runs, as systemd runs it. */
  async check(): Promise<void> {
    const unit = 'landfall-update-check.service';
    const { context } = terminalIn(this.#folder);
    await serve(context, '.', { listen: this.#listen, quiet: true }, async () => {
      await this.#premises.host.output(`systemctl reset-failed ${unit}; systemctl start ${unit}`);
    });
  }

  /** Runs a command of the server while the folder is published. */
  async run(
    command: string,
    host: FastHost = this.#premises.host,
  ): Promise<{ exitCode: number; stdout: string }> {
    return await this.during(() => host.run(command, { limit: 300 }));
  }

  /** Publishes the folder during some work. Returns the result of the work. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const { context } = terminalIn(this.#folder);
    const results: Result[] = [];
    await serve(context, '.', { listen: this.#listen, quiet: true }, async () => {
      results.push(await work());
    });
    return results[0] as Result;
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #channel(...args: string[]): Promise<void> {
    return this.#landfall('channel', ...args, '--channel', join(this.#folder, 'stable'));
  }

  async #landfall(...args: string[]): Promise<void> {
    await this.#premises.bundle.landfall(args);
  }
}
