import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../appliance/progress/status.ts';
import type { GivenModel } from '../integration/builder-rig.ts';
import type { HostDistribution } from '../setup/host-image.ts';
import { Cloud, type CloudParts } from './cloud.ts';
import type { Ran } from './exec.ts';
import type { FastHost } from './fast-host.ts';
import { HostBundle } from './host-bundle.ts';
import type { Outsider } from './outsider.ts';

export interface PremisesInputs {
  readonly parts: CloudParts;
  readonly distribution: HostDistribution;
  /** Address of the registry with the small stack. */
  readonly registry: string;
  /** Path of a Compose plugin. */
  readonly plugin: string;
  /** An empty folder to work in. */
  readonly folder: string;
  /** Models that the bundle carries. */
  readonly models?: readonly GivenModel[];
  /** What the site says besides where the release is and who may log in; or how to find that out. */
  readonly site?: SiteParts | ((cloud: Cloud) => Promise<SiteParts>);
}

/** Settings of a site. Each of its host names leads to the server. */
export type SiteParts = Readonly<Record<string, unknown>> & {
  readonly admin?: Readonly<Record<string, unknown>>;
  readonly hosts?: Readonly<Record<string, string>>;
};

/** What makes one server like another. */
interface Paste {
  readonly distribution: HostDistribution;
  readonly userData: Buffer;
  readonly bundle: HostBundle;
}

/** A server with the stack that Landfall ships, its owner outside, and the network between them. */
export class Premises {
  readonly cloud: Cloud;
  readonly owner: Outsider;
  readonly host: FastHost;

  readonly #paste: Paste;
  readonly #logins: number[] = [];

  private constructor(cloud: Cloud, owner: Outsider, host: FastHost, paste: Paste) {
    this.cloud = cloud;
    this.owner = owner;
    this.host = host;
    this.#paste = paste;
  }

  /** Builds the bundle, boots the server with it, and returns while that installs itself. */
  static async open({
    parts,
    distribution,
    site = {},
    ...inputs
  }: PremisesInputs): Promise<Premises> {
    const cloud = await Cloud.open(parts);
    try {
      const bundle = await HostBundle.shipped(inputs);
      const owner = await cloud.outsider();
      const release = [await cloud.serveFolder(bundle.dist)];
      const more = typeof site === 'function' ? await site(cloud) : site;
      const admin = { ssh_keys: [owner.publicKey], ...more.admin };
      const userData = await bundle.userData({ release, ...more, admin });
      const host = await cloud.boot({ distribution, userData });
      for (const name of Object.values(more.hosts ?? {})) cloud.names.set(name, host.addresses);
      return new Premises(cloud, owner, host, { distribution, userData, bundle });
    } catch (error) {
      await cloud.close();
      throw error;
    }
  }

  /** What the owner pasted. */
  get userData(): Buffer {
    return this.#paste.userData;
  }

  /** What the server was made from, with the files of whoever built it. */
  get bundle(): HostBundle {
    return this.#paste.bundle;
  }

  /** Boots one more server from the same user-data. The site's names keep leading to this one. */
  async another(): Promise<Premises> {
    const { distribution, userData } = this.#paste;
    const host = await this.cloud.boot({ distribution, userData });
    return new Premises(this.cloud, this.owner, host, this.#paste);
  }

  /**
   * Waits until the first boot is over.
   * @param heard told again and again where it stands
   * @throws Error with the status and the end of the journal when it failed or takes too long
   */
  async comeUp(heard: (status: Status) => void = () => {}, limitSeconds = 1200): Promise<Status> {
    const end = performance.now() + limitSeconds * 1000;
    for (;;) {
      const status = await this.status();
      if (status) heard(status);
      if (status?.state === 'done') return status;
      if (status?.state === 'failed' || performance.now() > end) {
        const journal = await this.host.journal('landfall-boot.service');
        const last = journal.split('\n').slice(-40).join('\n');
        throw new Error(`it did not come up: ${JSON.stringify(status, null, 2)}\n${last}`);
      }
      await sleep(1000);
    }
  }

  /** Where the server stands by its own account; undefined before it says anything. */
  async status(): Promise<Status | undefined> {
    const { exitCode, stdout } = await this.host.run('cat /run/landfall/status.json');
    return exitCode === 0 ? JSON.parse(stdout) : undefined;
  }

  /** Runs a command as the owner, over SSH; waits where that would be too often for the firewall. */
  async asOwner(command: string): Promise<Ran> {
    await this.#pauseBetweenLogins();
    return await this.owner.ssh({ user: 'ops', host: this.host.addresses.v4, command });
  }

  /** UFW's `limit` refuses the sixth connection within 30 seconds. */
  async #pauseBetweenLogins(): Promise<void> {
    const window = 31_000;
    const [oldest] = this.#logins.slice(-4, -3);
    const wait = oldest === undefined ? 0 : oldest + window - performance.now();
    if (wait > 0) await sleep(wait);
    this.#logins.push(performance.now());
  }

  /** Takes everything away, every other server of this cloud included. */
  async close(): Promise<void> {
    await this.cloud.close();
  }
}
