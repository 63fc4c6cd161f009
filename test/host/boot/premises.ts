import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../../appliance/server/progress/status.ts';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import type { Ran } from '../machine/exec.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud, type CloudDependencies } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import type { HostBundle } from './host-bundle.ts';

export interface PremisesInputs {
  readonly dependencies: CloudDependencies;
  readonly distribution: HostDistribution;
  /** A bundle of the shipped appliance. */
  readonly bundle: HostBundle;
  /** Whether only a proxy leads to the archive of Debian. */
  readonly sealed?: boolean;
  /** Whether the server has no IPv4 address. */
  readonly ipv6Only?: boolean;
  /** Fields of the site besides release and users, or a function that determines them. */
  readonly site?: SiteParts | ((cloud: Cloud) => Promise<SiteParts>);
}

/** Settings of a site. Each of its host names resolves to the server. */
export type SiteParts = Readonly<Record<string, unknown>> & {
  readonly admin?: Readonly<Record<string, unknown>>;
  readonly hosts?: Readonly<Record<string, string | number | boolean>>;
};

/** Options that two servers have in common. */
interface Paste {
  readonly distribution: HostDistribution;
  readonly userData: Buffer;
  readonly bundle: HostBundle;
  readonly site: SiteParts;
}

/** A server with the shipped stack, its administrator outside, and the network between them. */
export class Premises {
  readonly cloud: Cloud;
  readonly administrator: Outsider;
  readonly host: FastHost;

  readonly #paste: Paste;
  readonly #logins: number[] = [];

  private constructor(cloud: Cloud, administrator: Outsider, host: FastHost, paste: Paste) {
    this.cloud = cloud;
    this.administrator = administrator;
    this.host = host;
    this.#paste = paste;
  }

  /** Boots the server with its bundle. Returns while the server installs itself. */
  static async open({
    dependencies,
    distribution,
    bundle,
    sealed = false,
    ipv6Only = false,
    site = {},
  }: PremisesInputs): Promise<Premises> {
    const cloud = await Cloud.open(dependencies, { sealed, ipv6Only });
    try {
      const administrator = await cloud.outsider();
      const release = [await cloud.serveFolder(bundle.dist)];
      const more = typeof site === 'function' ? await site(cloud) : site;
      const admin = { ssh_keys: [administrator.publicKey], ...more.admin };
      const all = { release, ...more, admin };
      const userData = await bundle.userData(all);
      const host = await cloud.boot({ distribution, userData });
      const { v4, v6 } = host.addresses;
      const reached = ipv6Only ? { v6 } : { v4, v6 };
      for (const name of Object.values(more.hosts ?? {})) {
        if (typeof name === 'string') cloud.names.set(name, reached);
      }
      return new Premises(cloud, administrator, host, {
        distribution,
        userData,
        bundle,
        site: all,
      });
    } catch (error) {
      await cloud.close();
      throw error;
    }
  }

  /** User-data that the administrator pasted. */
  get userData(): Buffer {
    return this.#paste.userData;
  }

  /** Bundle of the server, with the files of its build. */
  get bundle(): HostBundle {
    return this.#paste.bundle;
  }

  /**
   * Boots another server from the same user-data. The names of the site still resolve to this one.
   * @param more fields of its site that differ
   */
  async another(more: SiteParts = {}): Promise<Premises> {
    const { distribution, site, userData } = this.#paste;
    if (Object.keys(more).length > 0) return await this.#boot({ ...site, ...more });
    const host = await this.cloud.boot({ distribution, userData });
    return new Premises(this.cloud, this.administrator, host, this.#paste);
  }

  /**
   * Boots another server from a site of its own, which has only the release and the administrator of
   * this one.
   */
  async neighbour(site: SiteParts): Promise<Premises> {
    const { release, admin } = this.#paste.site;
    return await this.#boot({ release, ...(admin && { admin }), ...site });
  }

  async #boot(site: SiteParts): Promise<Premises> {
    const { distribution, bundle } = this.#paste;
    const userData = await bundle.userData(site);
    const host = await this.cloud.boot({ distribution, userData });
    return new Premises(this.cloud, this.administrator, host, { ...this.#paste, site, userData });
  }

  /**
   * Waits until the first boot has finished.
   * @param heard called repeatedly with the status
   * @throws Error with the status and the end of the journal on failure or timeout
   */
  async comeUp(heard: (status: Status) => void = () => {}, limitSeconds = 1200): Promise<Status> {
    const end = performance.now() + limitSeconds * 1000;
    for (;;) {
      const status = await this.status();
      if (status) heard(status);
      if (status?.state === 'done') {
        // Test hosts share the disk of this machine, which may be nearly full.
        await this.host.put('/etc/landfall/disk.json', '{"share": 0, "bytes": 0}', '0644');
        return status;
      }
      if (status?.state === 'failed' || performance.now() > end) {
        const journal = await this.host.journal('landfall-boot.service');
        const last = journal.split('\n').slice(-40).join('\n');
        throw new Error(`the server did not come up: ${JSON.stringify(status, null, 2)}\n${last}`);
      }
      await sleep(1000);
    }
  }

  /** Returns the status of the server as it reports it; undefined before its first report. */
  async status(): Promise<Status | undefined> {
    const { exitCode, stdout } = await this.host.run('cat /run/landfall/status.json');
    return exitCode === 0 ? JSON.parse(stdout) : undefined;
  }

  /**
   * Runs a command as the administrator over SSH. Waits if the firewall's rate limit requires it.
   */
  async asAdministrator(command: string): Promise<Ran> {
    await this.#pauseBetweenLogins();
    return await this.administrator.ssh({ user: 'ops', host: this.host.addresses.v4, command });
  }

  /** UFW's `limit` rejects the sixth connection within 30 seconds. */
  async #pauseBetweenLogins(): Promise<void> {
    const window = 31_000;
    const [oldest] = this.#logins.slice(-4, -3);
    const wait = oldest === undefined ? 0 : oldest + window - performance.now();
    if (wait > 0) await sleep(wait);
    this.#logins.push(performance.now());
  }

  /** Removes everything, including all other servers of this cloud. */
  async close(): Promise<void> {
    await this.cloud.close();
  }
}
