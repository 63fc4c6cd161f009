import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encodeRelease } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { siteFile, siteTextFile } from '#contract/server-paths.ts';
import {
  earlierSites,
  refusedSiteFile,
  writeCandidate,
} from '../../../../appliance/operations/transactions/stored-sites.ts';
import { undoneNotices } from '../../../../appliance/server/host/undo/notice.ts';
import { unconfirmed } from '../../../../appliance/server/host/undo/undo.ts';
import {
  newTransaction,
  storedTransaction,
  type Transaction,
  type TransactionPlan,
} from '../../../../appliance/server/records/transaction.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { TransactionServer } from './transaction-server.ts';

export const siteBehaviours = [
  'works',
  'fails in a stage',
  'fails its tests',
  'is confirmed',
  'is not confirmed',
] as const;
type SiteBehaviour = (typeof siteBehaviours)[number];

const version = '1.0.0';
const secrets = 'etc/landfall/secrets';
const saved = 'var/lib/landfall/update';
const candidate = '33333333-0000-4000-8000-000000000000';

/** A server whose site is changed: its files are real, its programs are simulated. */
export class ChangedSiteServer extends TransactionServer {
  readonly #behaviour: SiteBehaviour;
  /** The site with which the containers run. */
  #running = 'old';
  #wasClosed = false;
  /** The phases that ran, in their order. */
  readonly phases: string[] = [];

  private constructor(behaviour: SiteBehaviour) {
    super();
    this.#behaviour = behaviour;
  }

  /** Returns a server on which a change of the site is about to begin. */
  static async create(
    behaviour: SiteBehaviour,
    planned: Pick<TransactionPlan, 'stages' | 'changed'> = { stages: null, changed: ['ui'] },
  ): Promise<ChangedSiteServer> {
    const server = new ChangedSiteServer(behaviour);
    const release = encodeRelease({ ...makeRelease(tinyFiles), version });
    server.write(`opt/landfall/releases/${version}-amd64/release.json`, release);
    symlinkSync(`releases/${version}-amd64`, server.path('opt/landfall/current'));
    server.write('var/lib/landfall/installed', `${version}\n`);
    server.write(siteFile, 'old');
    for (const name of ['KEY', 'OF-A-CLIENT']) server.write(`${secrets}/${name}`, 'of before');
    server.write(siteTextFile, '# old');
    const text = '# new';
    await writeCandidate(server.host, candidate, { json: 'new', text, author: 'ops' });
    const source = { urls: [], part: null };
    const fields = { kind: 'site', from: version, to: version } as const;
    const open: Transaction = {
      ...newTransaction({ ...fields, manifest: 'a'.repeat(64), source }),
      ...{ state: 'staged', restoreFrom: candidate },
      plan: {
        ...{ ...planned, closes: false, limit: 60, keepsPrevious: true },
        confirms: behaviour.startsWith('is '),
      },
    };
    server.write('var/lib/landfall/update/transaction.json', JSON.stringify(open));
    return server;
  }

  /** Returns what is wrong with the server after the change has ended; empty if nothing. */
  async flaws(): Promise<string[]> {
    const site = this.text(siteFile);
    const isNew = site === 'new';
    const kept = (await earlierSites(this.host)).map((each) => Object.values(each).slice(1).join());
    const mayStay = this.#behaviour === 'works' || this.#behaviour === 'is confirmed';
    const names = readdirSync(this.path(secrets)).sort().join();
    const expectations: ReadonlyArray<readonly [string, boolean]> = [
      ['no transaction is open', (await storedTransaction.read(this.host)) === undefined],
      ['the new site stays only if it works', !isNew || mayStay],
      ['the text is that of the site', this.text(siteTextFile) === `# ${site}`],
      ['the text that was tried is not lost', isNew || this.#wasRefused()],
      ['no confirmation is open', (await unconfirmed(this.host)).length === 0],
      [
        'no change is named as being undone',
        !(await undoneNotices(this.host)).join().includes('is being'),
      ],
      ['the site is one of the two', isNew || site === 'old'],
      ['the containers run with the site', this.#running === site],
      ['the server stayed open', !this.#wasClosed],
      ['the secrets are those of the site', names === (isNew ? 'KEY,NEW' : 'KEY,OF-A-CLIENT')],
      ['no secret has changed', this.text(`${secrets}/KEY`) === 'of before'],
      ['the earlier site is kept after a change', kept.join() === (isNew ? 'ops,old,# old' : '')],
      [
        'nothing else is left',
        readdirSync(this.path('var/lib/landfall/update')).join() === 'history.jsonl',
      ],
      ['the release is there', existsSync(this.path('opt/landfall/current/release.json'))],
    ];
    return expectations.filter(([, holds]) => !holds).map(([name]) => name);
  }

  /** The site is whole, the earlier one exists, and so does the text that a user wrote. */
  broken(): string[] {
    const open = this.open();
    const [site = '', text = ''] = [this.textIfAny(siteFile), this.textIfAny(siteTextFile)];
    const is = (path: string, expected: string) => this.textIfAny(path) === expected;
    const isKept = this.#sitesKept().some((each) => each.includes('"json":"old"'));
    const expectations: ReadonlyArray<readonly [string, boolean]> = [
      ['the release is there', existsSync(this.path('opt/landfall/current/release.json'))],
      ['the site is whole', ['old', 'new'].includes(site) && ['# old', '# new'].includes(text)],
      ['text and site belong together, or the change is open', text === `# ${site}` || !!open],
      [
        'the earlier site exists',
        (site === 'old' && text === '# old') ||
          is(`${saved}/${open?.id}/${siteFile}`, 'old') ||
          isKept,
      ],
      [
        'the text that was tried is not lost',
        text === '# new' ||
          is(`${saved}/${candidate}/${siteTextFile}`, '# new') ||
          this.#wasRefused(),
      ],
      ['no secret has changed', is(`${secrets}/KEY`, 'of before')],
    ];
    return expectations.filter(([, holds]) => !holds).map(([name]) => name);
  }

  /** Returns the texts of the sites before each change. */
  #sitesKept(): string[] {
    const folder = dirname(this.path(refusedSiteFile));
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  }

  protected async effectOf(file: string, args: readonly string[]): Promise<string | undefined> {
    if (file.endsWith('/node')) await this.#phase(args.at(-1) ?? '');
    if (file === 'systemd-run' && !args.includes('landfall-update')) this.#endUndo(args);
    // The clock of processes.
    if (file === 'cat') return `1 (cat) S ${'1 '.repeat(49)}`;
    // There is no volume of Docker.
    return args[0] === 'volume' && args[1] === 'inspect' ? undefined : '';
  }

  #wasRefused(): boolean {
    return existsSync(this.path(refusedSiteFile)) && this.text(refusedSiteFile) === '# new';
  }

  /** What happens before the time is over: `landfall confirm`, or the script at its end. */
  #endUndo(args: readonly string[]): void {
    const script = args.at(-1) ?? '';
    if (this.#behaviour === 'is not confirmed') execFileSync('/bin/sh', [script]);
    else rmSync(script);
  }

  async #phase(phase: string): Promise<void> {
    this.phases.push(phase);
    const isForward = (await storedTransaction.read(this.host))?.state !== 'rolling-back';
    const isNew = this.text(siteFile) === 'new';
    if (phase === 'close') this.#wasClosed = true;
    if (phase === 'baseline' && isNew) throw new Error('the tests of before ran with the new site');
    if (phase === 'switch') {
      this.write(`${secrets}/${isNew ? 'NEW' : 'OF-A-CLIENT'}`, 'generated');
      rmSync(this.path(secrets, isNew ? 'OF-A-CLIENT' : 'NEW'), { force: true });
      if (isForward && this.#behaviour === 'fails in a stage') throw failure();
      this.#running = this.text(siteFile);
    }
    if (phase === 'verify' && isForward && this.#behaviour === 'fails its tests') throw failure();
  }
}

function failure(): LandfallError {
  return new LandfallError('SMOKE_FAILED', 'it does not work', { hint: 'None.' });
}
