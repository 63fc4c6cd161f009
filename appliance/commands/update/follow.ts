import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readHistory } from '../../operations/transactions/history.ts';
import { changes, type FollowWords, kinds } from '../../operations/transactions/kinds.ts';
import { hasWork, runPhase } from '../../operations/transactions/phases.ts';
import { eventsAfter, startDriver } from '../../operations/transactions/units.ts';
import { folderOf } from '../../operations/update/download/release-folder.ts';
import type { Host } from '../../server/host/host.ts';
import { isRunLocked, type RunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  closesServer,
  newTransaction,
  storedTransaction,
  type Transaction,
  type TransactionPlan,
} from '../../server/records/transaction.ts';
import { printText } from '../command.ts';

/** How an update is applied. */
interface ApplyOptions {
  /** Seconds until a release that is not ready counts as failed. */
  readonly limit: number;
  /** The lock of the command, which the unit takes. */
  readonly lock: RunLock;
  /** Whether the chats are copied and the earlier release stays; default: true. */
  readonly keepsPrevious?: boolean;
  /** Whether a new login must confirm it. */
  readonly confirms?: boolean;
  /** Whether the timer starts it. */
  readonly unattended?: boolean;
  /** What a changed site changes, as its difference was shown. */
  readonly planned?: Pick<TransactionPlan, 'changed' | 'stages'>;
}

/**
 * Applies an update whose release is on the server, in a unit of its own, and follows it: Ctrl-C and a
 * closed window do not stop it.
 * @throws LandfallError UPDATE_FAILED if it was rolled back
 */
export async function applyStaged(
  facts: Facts,
  staged: Transaction,
  options: ApplyOptions,
): Promise<void> {
  await followUpdate(facts.host, await startUpdate(facts, staged, options));
}

/** What is put in place of what is there: all of it is on the server. */
interface Kept {
  readonly kind: Exclude<Transaction['kind'], 'update'>;
  /** The release; default: the installed one. */
  readonly to?: string;
  /** ID of the saved files, and of the copied chats; null: the data stays. */
  readonly restoreFrom: string | null;
}

/**
 * Puts in place what is kept on the server, as a transaction, and follows it.
 * @throws LandfallError UPDATE_FAILED if it was undone
 */
export async function applyKept(
  facts: Facts,
  { kind, to = facts.release.version, restoreFrom }: Kept,
  options: ApplyOptions,
): Promise<void> {
  const { host, release } = facts;
  const folder =
    to === release.version
      ? facts.releaseFolder
      : host.path(folderOf({ version: to, arch: release.arch }));
  const manifest = sha256Hex(await readFile(join(folder, 'release.json')));
  const source = { urls: [], part: null };
  const fields = { kind, from: release.version, to, manifest, source };
  const staged = { ...newTransaction(fields), state: 'staged', restoreFrom } as const;
  await storedTransaction.write(host, staged);
  await applyStaged(facts, staged, options);
}

/** Starts the unit that applies an update whose release is on the server. */
export async function startUpdate(
  facts: Facts,
  staged: Transaction,
  options: ApplyOptions,
): Promise<Transaction> {
  const { host } = facts;
  const open = await withPlan(facts, staged, options);
  await storedTransaction.write(host, open);
  await startDriver(host, facts.releaseFolder, options.lock);
  return open;
}

/** Adds what the transaction changes. */
async function withPlan(
  facts: Facts,
  staged: Transaction,
  { planned, limit, keepsPrevious = true, confirms = false, unattended = false }: ApplyOptions,
): Promise<Transaction> {
  const { changed, stages } = planned ?? { changed: await changedBy(facts, staged), stages: null };
  // A changed site restarts only what changed; restored chats need a closed server.
  const closes =
    !changes('site', staged) && (staged.restoreFrom !== null || (closesServer(changed) ?? true));
  const plan = { changed, stages, closes, limit, keepsPrevious, confirms };
  return { ...staged, began: new Date().toISOString(), unattended, plan };
}

/** Returns the services that a release changes, as its Compose decides it; null if they are unknown. */
async function changedBy({ host, release: { arch } }: Facts, staged: Transaction) {
  const folder = host.path(folderOf({ version: staged.to, arch }));
  const events = await runPhase(
    host,
    { folder },
    { transaction: staged.id, phase: 'plan', limit: 300, onLine: () => {} },
  );
  const planned = events.find((event) => event.event === 'plan');
  return planned?.event === 'plan' ? planned.changed : null;
}

const pauseMs = 300;

/** Prints the progress of an update until it ends. @throws LandfallError UPDATE_FAILED */
export async function followUpdate(host: Host, open: Transaction): Promise<void> {
  const { id } = open;
  const words = kinds[open.kind].words(open, hasWork('verify', open));
  const detach = () => {
    console.log(inLanguage(words.goesOn));
    process.exit(130);
  };
  process.once('SIGINT', detach);
  for (let known = 0; ; ) {
    const now = await storedTransaction.read(host);
    const events = await eventsAfter(host, known);
    known += events.length;
    for (const { state, text } of events) {
      const begins = words.states[state];
      const line = text ?? (begins && inLanguage(begins));
      if (line !== undefined) printText(line);
    }
    if (now?.id !== id) break;
    if (now.state === 'stuck') {
      await waitForDriver(host);
      throw stuckError(now);
    }
    await sleep(pauseMs);
  }
  await waitForDriver(host);
  const ended = (await readHistory(host)).find((entry) => entry.id === id);
  const isInstalled = ended?.outcome === 'committed';
  if (isInstalled && !ended.reason) return printText(inLanguage(words.done));
  const { message, problems = [] } = ended?.reason ?? { message: 'the reason is not known' };
  const { failed, now } = isInstalled ? staying(open) : words;
  const history = `\`sudo landfall ${changes('site', open) ? 'site' : 'update'} history\``;
  throw new LandfallError(
    'UPDATE_FAILED',
    inLanguage({ en: `${failed.en}: ${message}`, zh: `${failed.zh}：${translated(message)}` }),
    {
      hint: {
        en: `${now.en} ${history} has the reason.`,
        zh: `${now.zh}原因见 ${history}。`,
      },
      problems: problems.map((text) => ({ message: text })),
    },
  );
}

/** What is said of a release that does not work, and that nothing can replace. */
function staying({ to }: Transaction): Pick<FollowWords, 'failed' | 'now'> {
  return {
    failed: { en: `${to} does not work, but stays`, zh: `${to} 不能正常工作，但会保留` },
    now: {
      en: 'It has changed the chats, and there is no copy of before. Run `sudo landfall doctor`, and install the next release.',
      zh: '它已经更改了对话数据，也没有之前的副本。请运行 `sudo landfall doctor`，并安装下一个版本。',
    },
  };
}

/** Returns the error of a rollback that was given up. */
function stuckError({ to, reason }: Transaction): LandfallError {
  const { message, problems = [] } = reason ?? { message: 'the reason is not known' };
  return new LandfallError('UPDATE_FAILED', `the rollback of ${to} is stuck: ${message}`, {
    hint: {
      en: 'Fix the problems below and run `sudo landfall update resume`; nothing was deleted.',
      zh: '解决下面的问题，再运行 `sudo landfall update resume`；没有删除任何内容。',
    },
    problems: problems.map((text) => ({ message: text })),
  });
}

/** Waits until the driver has removed its unit, because the next command needs its lock. */
async function waitForDriver(host: Host): Promise<void> {
  const end = performance.now() + 30_000;
  while ((await isRunLocked(host, 'update')) && performance.now() < end) await sleep(pauseMs);
}
