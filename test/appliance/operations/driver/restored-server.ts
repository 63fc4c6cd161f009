import { existsSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { encodeRelease } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { copyManifests } from '../../../../appliance/operations/driver/volume-tasks.ts';
import {
  addToHistory,
  readHistory,
} from '../../../../appliance/operations/transactions/history.ts';
import { saveFiles } from '../../../../appliance/operations/transactions/saved-files.ts';
import { adoptRestored } from '../../../../appliance/server/chats/restored-copy.ts';
import { copyVolume, hasCopy, verifyCopy } from '../../../../appliance/server/chats/volume-copy.ts';
import {
  newTransaction,
  storedTransaction,
  type Transaction,
} from '../../../../appliance/server/records/transaction.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { TransactionServer } from './transaction-server.ts';
import { runTask } from './updated-server.ts';

/** How the server behaves with the restored chats, and what its chats of now are. */
export interface Restore {
  readonly behaviour: 'works' | 'fails its tests';
  readonly isDamaged: boolean;
}

const [before, version] = ['0.9.0', '1.0.0'];
const volumes = 'var/lib/docker/volumes';
const chats = `${volumes}/landfall_ui-data`;
const models = `${volumes}/landfall_engine-data`;
const manifest = '_data/models/manifests/qwen';
const upload = 'uploads/0f8fad5b-d9cb-469f-a165-70867728950e_notes.txt';
const secrets = 'etc/landfall/secrets';
const saved = 'var/lib/landfall/update';
const [update, backup] = [
  '11111111-0000-4000-8000-000000000000',
  '22222222-0000-4000-8000-000000000000',
];
const damaged = 'no database'.repeat(500);

/**
 * A server with an earlier update on which a backup is restored: its files are real, its programs are
 * simulated. A program dies with the disk.
 */
export class RestoredServer extends TransactionServer {
  readonly #restore: Restore;
  #id = '';
  #isOpen = true;
  #isRunning = true;

  private constructor(restore: Restore) {
    super();
    this.#restore = restore;
  }

  /** Returns a server that has fetched a backup. */
  static async create(restore: Restore): Promise<RestoredServer> {
    const server = new RestoredServer(restore);
    await server.#fill();
    return server;
  }

  async #fill(): Promise<void> {
    for (const name of [before, version]) {
      const release = encodeRelease({ ...makeRelease(tinyFiles), version: name });
      this.write(`opt/landfall/releases/${name}-amd64/release.json`, release);
    }
    symlinkSync(`releases/${version}-amd64`, this.path('opt/landfall/current'));
    this.write('var/lib/landfall/installed', `${version}\n`);
    this.write('etc/landfall/site.json', 'site of now');
    this.write(`${models}/${manifest}`, 'of now');
    this.#writeChats('_data', 'of an update');
    await copyVolume(this.path(chats), update);
    await copyManifests(this.path(models), update);
    await saveFiles(this.host, update);
    await addToHistory(this.host, {
      ...{ at: '2026-01-01T00:00:00.000Z', id: update, kind: 'update', from: before, to: version },
      ...{ manifest: 'b'.repeat(64), outcome: 'committed', took: 1, closed: null },
      ...{ keepsPrevious: true, reason: null },
    });
    rmSync(this.path(chats, '_data'), { recursive: true });
    this.#writeChats('_data', 'of now');
    if (this.#restore.isDamaged) this.write(`${chats}/_data/webui.db`, damaged);
    for (const name of ['KEY', 'NEW']) this.write(`${secrets}/${name}`, 'of now');
    this.#writeChats('_data.restore/backup/ui-data', 'of the backup');
    const settings = `${chats}/_data.restore/backup`;
    this.write(`${settings}/${secrets}/KEY`, 'of the backup');
    this.write(`${settings}/etc/landfall/site.json`, 'site of the backup');
    await adoptRestored(this.path(chats), backup);
    await saveFiles(this.host, backup, this.path(settings));
    const fields = { kind: 'restore', from: version, to: version } as const;
    const source = { urls: [], part: null };
    const open: Transaction = {
      ...newTransaction({ ...fields, manifest: 'a'.repeat(64), source }),
      ...{ state: 'staged', restoreFrom: backup },
      plan: {
        changed: [],
        stages: null,
        closes: true,
        limit: 60,
        keepsPrevious: true,
        confirms: false,
      },
    };
    this.#id = open.id;
    this.write('var/lib/landfall/update/transaction.json', JSON.stringify(open));
  }

  /** Whether the restore ended with the chats of the backup. */
  async isRestored(): Promise<boolean> {
    const ended = (await readHistory(this.host)).find(({ id }) => id === this.#id);
    return ended?.outcome === 'committed';
  }

  /** Returns what is wrong with the server after the restore has ended; empty if nothing. */
  async flaws(): Promise<string[]> {
    const isRestored = await this.isRestored();
    const state = isRestored ? 'of the backup' : 'of now';
    const kept = isRestored ? [update, this.#id].sort() : [update];
    const names = (...path: string[]) =>
      readdirSync(this.path(...path))
        .sort()
        .join();
    const copies = kept.flatMap((id) => [`_data.copy-${id}`, `_data.copy-${id}.sha256`]);
    const expectations: ReadonlyArray<readonly [string, boolean]> = [
      ['no transaction is open', (await storedTransaction.read(this.host)) === undefined],
      ['the server is open', this.#isOpen],
      ['the server runs', this.#isRunning],
      ['a backup is restored only if it works', !isRestored || this.#restore.behaviour === 'works'],
      [
        'the release is the same',
        readlinkSync(this.path('opt/landfall/current')) === `releases/${version}-amd64` &&
          this.text('var/lib/landfall/installed') === `${version}\n`,
      ],
      [
        'the release and the earlier one are kept',
        names('opt/landfall/releases') === `${before}-amd64,${version}-amd64`,
      ],
      ['the chats are whole', this.#chatsAre('_data', state)],
      ['the key is that of the chats', this.text(`${secrets}/KEY`) === state],
      [
        'another secret stays only with the earlier chats',
        names(secrets) === (isRestored ? 'KEY' : 'KEY,NEW'),
      ],
      ['the site is that of now', this.text('etc/landfall/site.json') === 'site of now'],
      ['the models are those of now', this.text(`${models}/${manifest}`) === 'of now'],
      ['only copies of before are kept', names(chats) === ['_data', ...copies].join()],
      [
        'only model lists of before are kept',
        names(models) === ['_data', ...kept.map((id) => `manifests.copy-${id}`)].join(),
      ],
      [
        'only saved files of before are kept',
        names(saved) === ['history.jsonl', ...kept].sort().join(),
      ],
      ...(isRestored ? await this.#flawsOfCopy() : []),
    ];
    return expectations.filter(([, holds]) => !holds).map(([name]) => name);
  }

  /** Chats and secrets belong together, and those of before exist. */
  broken(): string[] {
    const open = this.open();
    const [now, key] = [this.#stateOf('_data'), this.textIfAny(`${secrets}/KEY`)];
    const copy = this.#stateOf(`_data.copy-${this.#id}`);
    const keyBefore = `${saved}/${this.#id}/${secrets}/KEY`;
    const expectations: ReadonlyArray<readonly [string, boolean]> = [
      ['the release is there', existsSync(this.path('opt/landfall/current/release.json'))],
      [
        'chats and secrets belong together, or the restore is open',
        now === key || open !== undefined,
      ],
      ['the chats of before exist', now === 'of now' || copy === 'of now'],
      ['the secrets of before exist', key === 'of now' || this.textIfAny(keyBefore) === 'of now'],
      ['the copy of an update exists', this.#stateOf(`_data.copy-${update}`) === 'of an update'],
      ['the site is that of now', this.textIfAny('etc/landfall/site.json') === 'site of now'],
    ];
    return expectations.filter(([, holds]) => !holds).map(([name]) => name);
  }

  /** Returns what the chats in a folder are; undefined if it has none. */
  #stateOf(folder: string): string | undefined {
    const [path, file] = [`${chats}/${folder}/webui.db`, `${chats}/${folder}/${upload}`];
    const isThere = existsSync(this.path(path)) && existsSync(this.path(file));
    return isThere ? this.text(file) : undefined;
  }

  async #flawsOfCopy(): Promise<ReadonlyArray<readonly [string, boolean]>> {
    const isVerified = await verifyCopy(this.path(chats), this.#id).then(
      () => true,
      () => false,
    );
    return [
      ['the copy of before is complete', isVerified && (await hasCopy(this.path(chats), this.#id))],
      ['the copy of before has the chats', this.#chatsAre(`_data.copy-${this.#id}`, 'of now')],
      [
        'the secrets of before are saved',
        ['KEY', 'NEW'].every(
          (name) => this.text(`${saved}/${this.#id}/${secrets}/${name}`) === 'of now',
        ),
      ],
    ];
  }

  protected async effectOf(file: string, args: readonly string[]): Promise<string> {
    if (file.endsWith('/node')) {
      await this.#phase(args.at(-1) ?? '');
      return '';
    }
    if (file === 'docker' && args[0] === 'ps') return this.#isRunning ? 'id' : '';
    if (file === 'docker' && args[0] === 'stop') this.#isRunning = false;
    if (file === 'docker' && args[0] === 'volume') {
      return JSON.stringify(this.path(volumes, args.at(-1) ?? '', '_data'));
    }
    return file === 'systemd-run' ? await runTask(args.join(' ')) : '';
  }

  async #phase(phase: string): Promise<void> {
    const open = await storedTransaction.read(this.host);
    const isForward = open?.state === 'switching' || open?.state === 'verifying';
    if (phase === 'prepare') throw new Error('a restore changes nothing before the stack');
    if (phase === 'close' || phase === 'finish') this.#isOpen = open?.pass === null;
    if (phase === 'switch') {
      this.#isRunning = true;
      if (isForward) this.#sql('_data', 'CREATE TABLE IF NOT EXISTS session (token)');
    }
    if (phase === 'verify' && isForward && this.#restore.behaviour === 'fails its tests') {
      throw new LandfallError('SMOKE_FAILED', 'it does not work', { hint: 'None.' });
    }
  }

  #writeChats(folder: string, text: string): void {
    this.write(`${chats}/${folder}/${upload}`, text);
    this.#sql(folder, `CREATE TABLE chat (text); INSERT INTO chat VALUES ('${text}')`);
  }

  #sql(folder: string, text: string): void {
    using database = new DatabaseSync(this.path(chats, folder, 'webui.db'));
    database.exec(`PRAGMA journal_mode = WAL; ${text}`);
  }

  #chatsAre(folder: string, state: string): boolean {
    const [path, file] = [`${chats}/${folder}/webui.db`, `${chats}/${folder}/${upload}`];
    if (!existsSync(this.path(file)) || this.text(file) !== state) return false;
    if (this.#restore.isDamaged && state === 'of now') return this.text(path) === damaged;
    using database = new DatabaseSync(this.path(path), { readOnly: true });
    return database.prepare('SELECT text FROM chat').get()?.text === state;
  }
}
