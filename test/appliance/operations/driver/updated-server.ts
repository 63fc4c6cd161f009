import { existsSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { encodeRelease } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import {
  copyManifests,
  restoreManifests,
} from '../../../../appliance/operations/driver/volume-tasks.ts';
import { readChatFacts } from '../../../../appliance/server/chats/chat-facts.ts';
import { copyBeforeRestore, giveBack } from '../../../../appliance/server/chats/restored-copy.ts';
import { copyVolume, verifyCopy } from '../../../../appliance/server/chats/volume-copy.ts';
import {
  newTransaction,
  type Transaction,
} from '../../../../appliance/server/records/transaction.ts';
import { makeRelease } from '../../../simulator/bundle.ts';
import { TransactionServer } from './transaction-server.ts';

/** How the new release behaves. */
type Behaviour = 'works' | 'does not start' | 'starts late' | 'fails its tests';

const volumes = 'var/lib/docker/volumes';
const data = `${volumes}/landfall_ui-data/_data`;
const manifests = `${volumes}/landfall_engine-data/_data/models/manifests`;
const upload = '0f8fad5b-d9cb-469f-a165-70867728950e_notes.txt';
const [from, to] = ['1.0.0', '1.1.0'];

/**
 * A server on which an update is applied: its files are real, its programs are simulated. A program
 * dies with the disk.
 */
export class UpdatedServer extends TransactionServer {
  readonly #behaviour: Behaviour;
  readonly #closes: boolean;
  readonly #keepsPrevious: boolean;
  readonly #late: number;
  /** Whether visitors reach the chat UI. */
  isOpen = true;
  /** The release whose containers run; undefined while they are stopped. */
  #running: string | undefined = from;
  /** Programs that run until a release that starts late changes the data. */
  #callsToChange = 0;
  /** Whether the earlier release was started on data that it cannot read. */
  #isMisused = false;

  /** @param late programs that run until a release that starts late changes the data */
  constructor(behaviour: Behaviour, closes: boolean, keepsPrevious = true, late = 3) {
    super();
    this.#late = late;
    this.#behaviour = behaviour;
    this.#closes = closes;
    this.#keepsPrevious = keepsPrevious;
    for (const version of ['0.9.0', from, to]) {
      this.write(
        `opt/landfall/releases/${version}-amd64/release.json`,
        encodeRelease({
          ...makeRelease([{ path: 'notes.txt', content: Buffer.from(version) }]),
          version,
        }),
      );
    }
    symlinkSync(`releases/${from}-amd64`, this.path('opt/landfall/current'));
    this.write('etc/landfall/site.json', '{"site":1}');
    this.write('etc/landfall/secrets/KEY', 'secret of before');
    this.write('var/lib/landfall/installed', `${from}\n`);
    this.write(`${data}/uploads/${upload}`, 'an upload');
    this.write(`${manifests}/library/qwen/latest`, 'manifest of before');
    this.#sql(
      "CREATE TABLE chat (text); INSERT INTO chat VALUES ('hello'); CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('before')",
    );
    const open: Transaction = {
      ...newTransaction({
        ...{ kind: 'update', from, to, manifest: 'a'.repeat(64) },
        source: { urls: [], part: null },
      }),
      ...{
        state: 'staged',
        plan: { changed: ['ui'], stages: null, closes, limit: 60, keepsPrevious, confirms: false },
      },
    };
    this.write('var/lib/landfall/update/transaction.json', JSON.stringify(open));
  }

  /** Returns what is wrong with the server after the update has ended; empty if nothing. */
  flaws(): string[] {
    const current = readlinkSync(this.path('opt/landfall/current'));
    const version = current === `releases/${to}-amd64` ? to : from;
    const isNew = version === to;
    // Only a release that closes the server changes the data.
    const isMigrated = isNew && this.#closes;
    const [volume] = [this.path(dirname(data))];
    const expectations: ReadonlyArray<readonly [string, boolean]> = [
      ['no transaction is open', !this.#exists('var/lib/landfall/update/transaction.json')],
      [
        'the new release stays only if it works, or if there is no copy of what it changed',
        !isNew || this.#behaviour === 'works' || (isMigrated && !this.#keepsPrevious),
      ],
      ['the current release runs', this.#running === version],
      ['the server is open', this.isOpen],
      [
        'the installed version is that of the current release',
        this.text('var/lib/landfall/installed') === `${version}\n`,
      ],
      ['the chats are those of the release', this.#schema() === (isMigrated ? 'new' : 'old')],
      ['the chat is there', this.#chat() === 'hello'],
      ['the upload is there', this.text(`${data}/uploads/${upload}`) === 'an upload'],
      [
        'the key is that of the release',
        this.text('etc/landfall/secrets/KEY') ===
          (isMigrated ? 'secret of after' : 'secret of before'),
      ],
      [
        'the models are those of the release',
        this.text(`${manifests}/library/qwen/latest`) ===
          (isMigrated ? 'manifest of after' : 'manifest of before'),
      ],
      [
        'one earlier release is kept, if the update keeps a way back',
        readdirSync(this.path('opt/landfall/releases')).join() ===
          (isNew ? `${this.#keepsPrevious ? '1.0.0-amd64,' : ''}1.1.0-amd64` : '1.0.0-amd64'),
      ],
      [
        'nothing of a failed release is left',
        !readdirSync(volume).some((name) => name.includes('failed')),
      ],
      [
        'a copy is kept only of the release before',
        (isNew && this.#keepsPrevious) || readdirSync(volume).join() === '_data',
      ],
    ];
    return expectations.filter(([, holds]) => !holds).map(([name]) => name);
  }

  /** Data, secrets and release belong together, or what belongs to the earlier release exists. */
  broken(): string[] {
    if (this.#isMisused) return ['the earlier release was started on newer data'];
    if (!this.#exists('opt/landfall/current/release.json')) return ['current is a dangling link'];
    const isNew = readlinkSync(this.path('opt/landfall/current')) === `releases/${to}-amd64`;
    const open = this.open();
    const copied = `${dirname(data)}/_data.copy-${open?.id}/webui.db`;
    const isWhole = this.#exists(`${data}/webui.db`);
    const isMigrated = isWhole && this.#schema() === 'new';
    const secret = this.text('etc/landfall/secrets/KEY') === 'secret of after';
    if (isWhole && isMigrated === secret && isMigrated === (isNew && this.#closes)) return [];
    if (!open) return ['data, secrets and release do not belong together'];
    const saved = `var/lib/landfall/update/${open.id}/etc/landfall/secrets/KEY`;
    const expectations: ReadonlyArray<readonly [string, boolean]> = [
      ['the chats of before exist', this.#exists(copied) || (isWhole && !isMigrated)],
      ['the secrets of before exist', !secret || this.#exists(saved)],
      ['the earlier release exists', this.#exists(`opt/landfall/releases/${from}-amd64`)],
    ];
    return expectations.filter(([, holds]) => !holds).map(([name]) => name);
  }

  protected async effectOf(file: string, args: readonly string[]): Promise<string> {
    const line = args.join(' ');
    if (this.#callsToChange > 0 && this.#running === to) {
      this.#callsToChange -= 1;
      if (this.#callsToChange === 0) this.#migrate();
    }
    if (file.endsWith('/node'))
      return this.#phase(/releases\/([\d.]+)-/.exec(file)?.[1] ?? '', args.at(-1) ?? '');
    if (file === 'docker' && args[0] === 'ps') return this.#running ? 'id' : '';
    if (file === 'docker' && args[0] === 'stop') this.#running = undefined;
    if (file === 'docker' && args[0] === 'volume') {
      return JSON.stringify(this.path(volumes, args.at(-1) ?? '', '_data'));
    }
    if (file === 'systemd-run') return await runTask(line);
    return '';
  }

  #phase(version: string, phase: string): string {
    const isNew = version === to;
    const open = JSON.parse(this.text('var/lib/landfall/update/transaction.json')) as Transaction;
    if (phase === 'close' || phase === 'finish') this.isOpen = open.pass === null;
    if (phase === 'switch') {
      if (isNew && this.#behaviour === 'does not start') throw failure('STACK_UNHEALTHY');
      this.#running = version;
      this.#isMisused ||= !isNew && this.#schema() === 'new';
      // An older program refuses newer data.
      if (this.#isMisused) throw failure('STACK_UNHEALTHY');
      if (isNew && this.#behaviour === 'starts late') {
        this.#callsToChange = this.#closes ? this.#late : 0;
        throw failure('STACK_UNHEALTHY');
      }
      // Only a release that closes the server changes the data.
      if (isNew && this.#closes) this.#migrate();
    }
    if (phase === 'verify' && isNew && this.#behaviour === 'fails its tests') {
      throw failure('SMOKE_FAILED');
    }
    return '';
  }

  /** What a newer release does to the data when it starts. */
  #migrate(): void {
    if (this.#schema() === 'old') {
      this.#sql(
        "ALTER TABLE chat ADD COLUMN migrated; UPDATE alembic_version SET version_num = 'after'",
      );
    }
    this.write('etc/landfall/secrets/KEY', 'secret of after');
    this.write('etc/landfall/secrets/NEW', 'new');
    this.write(`${manifests}/library/qwen/latest`, 'manifest of after');
  }

  #sql(text: string): void {
    using database = new DatabaseSync(this.path(data, 'webui.db'));
    database.exec(`PRAGMA journal_mode = WAL; ${text}`);
  }

  #row(): Record<string, unknown> {
    using database = new DatabaseSync(this.path(data, 'webui.db'));
    return database.prepare('SELECT * FROM chat').get() ?? {};
  }

  #schema(): 'old' | 'new' {
    return 'migrated' in this.#row() ? 'new' : 'old';
  }

  #chat(): unknown {
    return this.#row().text;
  }

  #exists(path: string): boolean {
    return existsSync(this.path(path));
  }
}

function failure(code: 'STACK_UNHEALTHY' | 'SMOKE_FAILED'): LandfallError {
  return new LandfallError(code, 'it does not work', { hint: 'None.' });
}

/** Runs the task of a volume that a command line of systemd-run names. */
export async function runTask(line: string): Promise<string> {
  const [, task, folder = '', id = ''] = / volume-task (\S+) (\S+) (\S+)$/.exec(line) ?? [];
  switch (task) {
    case 'copy':
      return JSON.stringify(await copyVolume(folder, id));
    case 'copy-before-restore':
      return JSON.stringify((await copyBeforeRestore(folder, id)) ?? null);
    case 'facts':
      return JSON.stringify(readChatFacts(join(folder, '_data')));
    case 'give-back':
      await giveBack(folder, id);
      return '';
    case 'verify':
      await verifyCopy(folder, id);
      return '';
    case 'copy-manifests':
      await copyManifests(folder, id);
      return '';
    case 'restore-manifests':
      await restoreManifests(folder, id);
      return '';
    default:
      throw new Error(`the test knows no task in: ${line}`);
  }
}
