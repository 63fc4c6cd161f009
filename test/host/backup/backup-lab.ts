import { afterAll, beforeAll } from 'vitest';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { storeKey } from '../../stand-ins/object-store/object-store.ts';
import { firstBooted, type PremisesDependencies } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { startOnServer } from '../commands/start-on-server.ts';
import type { ExecOptions } from '../machine/exec.ts';
import { Bucket } from '../network/bucket.ts';
import type { Cloud } from '../network/cloud.ts';
import type { Keeper } from '../network/keeper.ts';
import { ChatData } from '../updates/chat-data.ts';

/** A target of the site besides the SFTP server. */
export type OtherTarget =
  | Readonly<{ kind: 'folder'; path: string }>
  | Readonly<{ kind: 's3'; isVirtualHost?: boolean }>;

/** Where the server keeps what users have uploaded. */
const uploads = '/var/lib/docker/volumes/landfall_ui-data/_data/uploads';

/** A server with a chat and a document, whose site has two targets for backups: another one, and SFTP. */
export class BackupLab {
  readonly premises: Premises;
  readonly keeper: Keeper;
  readonly bucket: Bucket;
  readonly data: ChatData;
  readonly #dependencies: PremisesDependencies['dependencies'];
  #other: OtherTarget;
  #password: string | undefined;

  private constructor(
    { dependencies }: PremisesDependencies,
    premises: Premises,
    { keeper, bucket }: Stores,
    data: ChatData,
    other: OtherTarget,
  ) {
    this.#other = other;
    this.#dependencies = dependencies;
    this.premises = premises;
    this.keeper = keeper;
    this.bucket = bucket;
    this.data = data;
  }

  static async open(
    given: PremisesDependencies,
    distribution: HostDistribution,
    other: OtherTarget,
  ): Promise<BackupLab> {
    const opened = Promise.withResolvers<Stores>();
    const premises = await firstBooted(given, distribution, async (cloud) => {
      const stores = await openStores(cloud, other);
      opened.resolve(stores);
      const { bucket, keeper } = stores;
      const first = other.kind === 's3' ? bucket.target : other;
      return { ca: bucket.ca, backup: { to: [first, keeper.target] } };
    });
    const data = await ChatData.create(premises.host);
    return new BackupLab(given, premises, await opened.promise, data, other);
  }

  /** The SFTP target, as messages name it. */
  get sftp(): string {
    const { user, host, path } = this.keeper.target;
    return `${user}@${host}:${path}`;
  }

  /** Returns the output of a command that must succeed on the server. */
  output(command: string, options?: ExecOptions): Promise<string> {
    return this.premises.host.output(command, options);
  }

  /** Runs a command on the server. Its output contains its errors. */
  run(command: string, options: ExecOptions = {}) {
    return this.premises.host.run(`${command} 2>&1`, { limit: 300, ...options });
  }

  /** Starts a command of `landfall` on a terminal of the server. */
  terminal(command: string) {
    return startOnServer(this.#dependencies, this.premises.host, command);
  }

  /** @param options with a `limit` if restic may retry, which it does for 15 minutes */
  backup(options?: ExecOptions) {
    return this.run('landfall backup run', options);
  }

  async status() {
    return JSON.parse(await this.output('landfall backup status --json'));
  }

  /** Does what the command asks for: puts the key of the server on the SFTP server. */
  async authorise(): Promise<void> {
    const key = await this.output('cat /etc/landfall/backup/id_ed25519.pub');
    await this.keeper.authorise(`restrict ${key}`);
  }

  /** Returns the password of the backups, also when the server is gone. */
  async password(): Promise<string> {
    this.#password ??= (await this.output('cat /etc/landfall/backup/password')).trim();
    return this.#password;
  }

  /** Sets the backups up at all targets, as an administrator does. */
  async setUp(): Promise<void> {
    if (this.#other.kind === 's3') {
      await this.setSecret('backup-s3-id', storeKey.id);
      await this.setSecret('backup-s3-secret', storeKey.secret);
    } else await this.output(`mkdir -p ${this.#other.path}`);
    const run = this.terminal('backup init');
    await run.shows('The key of this server');
    await this.authorise();
    run.type('y\r');
    await run.shows('Type the last group');
    run.type(`${(await this.password()).split('-').at(-1)}\r`);
    const { status, text } = await run.end();
    if (status !== 0) throw new Error(text);
  }

  /**
   * Makes the server forget its backups, and removes those of all targets except the bucket. Another target
   * takes the place of the first one in its site.
   */
  async startOver(other: OtherTarget): Promise<void> {
    this.#other = other;
    this.#password = undefined;
    await this.output(`systemctl disable --now landfall-backup.timer landfall-backup-test.timer
      rm -rf /etc/landfall/backup /var/lib/landfall/backup /mnt/backup ${uploads}/scan.pdf`);
    await this.keeper.output(`find ${this.keeper.folder} -mindepth 1 -delete`);
    const site = JSON.parse(await this.output('cat /etc/landfall/site.json'));
    const first = other.kind === 's3' ? this.bucket.target : other;
    const backup = { ...site.backup, to: [first, this.keeper.target] };
    await this.premises.host.put(
      '/etc/landfall/site.json',
      JSON.stringify({ ...site, backup }),
      '0600',
    );
  }

  async setSecret(name: string, input: string): Promise<void> {
    await this.output(`landfall secret set ${name}`, { input });
  }

  /** Destroys the server. */
  async destroy(): Promise<void> {
    await this.password();
    await this.premises.host.remove();
  }

  /** Replaces a document by another one of 30 MB, which cannot be compressed. */
  async upload(): Promise<void> {
    await this.output(`head -c 30000000 /dev/urandom >${uploads}/scan.pdf`);
  }
}

interface Stores {
  readonly keeper: Keeper;
  readonly bucket: Bucket;
}

async function openStores(cloud: Cloud, other: OtherTarget): Promise<Stores> {
  const isVirtualHost = other.kind === 's3' && other.isVirtualHost === true;
  return { keeper: await cloud.keeper(), bucket: await Bucket.open(cloud, isVirtualHost) };
}

/** Opens a lab for the tests of a file. Returns a function that returns it. */
export function useBackupLab(...args: Parameters<typeof BackupLab.open>): () => BackupLab {
  let lab: BackupLab | undefined;
  beforeAll(async () => {
    lab = await BackupLab.open(...args);
  });
  afterAll(() => lab?.premises.close());
  return () => {
    if (!lab) throw new Error('the lab is not open');
    return lab;
  };
}
