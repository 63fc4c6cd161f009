import { Command, InvalidArgumentError, Option } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { describeHistory } from '../../operations/transactions/describe-history.ts';
import { progressRows } from '../../operations/transactions/describe-progress.ts';
import { type EndedUpdate, readHistory } from '../../operations/transactions/history.ts';
import { updateConditions } from '../../operations/update/conditions.ts';
import {
  describeUpdate,
  storedUpdates,
  type UpdateState,
} from '../../operations/update/last-check.ts';
import { diskConditions } from '../../server/conditions/disk.ts';
import type { Host } from '../../server/host/host.ts';
import { takeRunLock, tryRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  isApplying,
  storedTransaction,
  type Transaction,
} from '../../server/records/transaction.ts';
import { updateAlertWarnings, updateWarnings } from '../../stages/report/warnings.ts';
import { commandGroup, exampleText, type JsonFlag, serverFacts } from '../command.ts';
import { watchServer } from '../watch.ts';
import type { InstallFlags } from './install.ts';
import type { ResumeFlags } from './resume.ts';
import type { RollbackFlags } from './undo.ts';

/** An update is available (`docs/errors.md`). */
const updateAvailable = 14;

/** `landfall update`: looks for newer releases, installs them, and goes back. */
export function updateCommand() {
  const installCommand = new Command('install')
    .description(
      'install the next release, and go back automatically if it does not work (default)',
    )
    .argument('[release]', 'version, file or URL of a bundle; default: the next release')
    .option('--dry-run', 'show what would happen; change nothing')
    .option('--yes', 'do not ask')
    .option('--retry', 'try a release again that was rolled back')
    .option('--without-rollback', 'go on without a way back if there is no space for one')
    .addOption(new Option('--scheduled', 'used by the timer').hideHelp())
    .addOption(maxPause())
    .action(install);
  return commandGroup('update', installCommand, [
    new Command('status')
      .description('show the last check, and the update in progress')
      .option('--json', 'print it as JSON')
      .action(status),
    new Command('check')
      .description('look for a newer release; exits with 14 if there is one')
      .option('--json', 'print the result as JSON')
      .addOption(new Option('--scheduled', 'used by the timer').hideHelp())
      .action(check),
    new Command('download')
      .description('download the next release, to install it later')
      .action(download),
    new Command('discard').description('delete a downloaded release').action(discard),
    new Command('rollback')
      .description('go back to the release before this one')
      .option('--restore-data', 'also go back to the chats of before the update')
      .option('--yes', 'do not ask')
      .addOption(maxPause())
      .action(rollback),
    new Command('resume')
      .description('continue a rollback that is stuck')
      .option('--without-copy', 'give up the copy of the chats, if it is damaged')
      .option('--yes', 'do not ask')
      .action(resume),
    new Command('history')
      .description('show the updates of this server')
      .option('--json', 'print them as JSON')
      .action(history),
  ])
    .description('install newer releases, and go back')
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall update --dry-run',
        'sudo landfall update ./landfall-1.1.0-amd64.tar',
      ),
    );
}

/** The option of commands that replace what runs. */
export function maxPause() {
  const text = 'go back if the new release is not ready after this time';
  return new Option('--max-pause <seconds>', text).argParser(readSeconds).default(900);
}

async function rollback(flags: RollbackFlags): Promise<void> {
  const { rollBack } = await import('./undo.ts');
  await rollBack(await serverFacts(), flags);
}

async function resume(flags: ResumeFlags): Promise<void> {
  const { resumeUpdate } = await import('./resume.ts');
  await resumeUpdate(await serverFacts(), flags);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isSafeInteger(seconds) && seconds >= 30 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds from 30 to 86400.');
}

async function install(
  release: string | undefined,
  { scheduled, ...flags }: InstallFlags & { readonly scheduled?: boolean },
): Promise<void> {
  const facts = await serverFacts();
  if (scheduled) {
    // Loaded on demand, as below.
    const { installScheduled } = await import('./scheduled-install.ts');
    return await installScheduled(facts, flags.maxPause);
  }
  // Loaded on demand, as below.
  const { installRelease, namesBundle } = await import('./install.ts');
  const isBundle = release !== undefined && namesBundle(release);
  const open = await storedTransaction.read(facts.host);
  const isRunning = open !== undefined && isApplying(open);
  if (!isBundle && !isRunning && hasNoChannels(facts, false)) return;
  await installRelease(facts, release, flags);
}

async function history({ json }: JsonFlag): Promise<void> {
  const updates = await readHistory((await serverFacts()).host);
  console.log(json ? JSON.stringify(updates, null, 2) : describeHistory(updates));
}

async function status({ json }: JsonFlag): Promise<void> {
  const facts = await serverFacts();
  const { host } = facts;
  const state = await storedUpdates.read(host);
  if (state) return await show(host, state, json);
  const { open, last } = await progressOf(host);
  if (open || last) {
    const rows = [['installed', facts.release.version], ...progressRows(open, last)];
    return console.log(json ? asJson({}, open, last) : formatTable(rows));
  }
  if (!hasNoChannels(facts, json)) {
    throw new LandfallError(
      'STATE_INVALID',
      inLanguage({
        en: 'this server has not looked for updates yet',
        zh: '这台服务器还没有检查过更新',
      }),
      {
        hint: {
          en: 'Run `sudo landfall update check`.',
          zh: '运行 `sudo landfall update check`。',
        },
      },
    );
  }
}

async function download(): Promise<void> {
  const facts = await serverFacts();
  if (hasNoChannels(facts, false)) return;
  // Loaded on demand, as below.
  const { downloadOffer } = await import('./download.ts');
  await downloadOffer(facts);
}

async function discard(): Promise<void> {
  const { discardDownload } = await import('./download.ts');
  await discardDownload(await serverFacts());
}

async function check({ json, scheduled }: JsonFlag & { scheduled?: boolean }): Promise<void> {
  const facts = await serverFacts();
  const { host, site } = facts;
  // The check of the route does it too, but `landfall route off` ends that.
  if (scheduled) await watchServer(host, site);
  if (hasNoChannels(facts, json)) return;
  // The lock ends with this process. The next check of the timer is tomorrow.
  if (scheduled && !(await tryRunLock(host, 'update-check'))) return;
  if (!scheduled) await takeRunLock(host, 'update-check');
  // Loaded on demand: a first boot needs none of it, and has little memory.
  const { checkUpdates } = await import('../../operations/update/check-updates.ts');
  const { scheduledCheck } = await import('../../operations/update/scheduled-check.ts');
  const state = await (scheduled ? scheduledCheck(facts) : checkUpdates(facts));
  const found = [...updateConditions(state), ...(await diskConditions(host))];
  await updateWarnings(host, site, ['update', 'disk'], found);
  await updateAlertWarnings(host, site);
  await show(host, state, json);
  // A new release is no failure of the unit, and neither is a mirror that is down for a day.
  if (scheduled) return;
  const [failure] = state.failures;
  if (state.channel === null && failure) {
    throw new LandfallError(failure.code, `no channel could be read: ${failure.message}`, {
      hint: {
        en: 'Check `updates.channels` of the site and the route.',
        zh: '检查站点的 `updates.channels` 和线路。',
      },
    });
  }
  if (state.offer?.kind === 'update') process.exitCode = updateAvailable;
}

/** Says how to add a channel to a server without one. */
export const noChannels = {
  en: 'This server has no channel, so it learns of no updates. Add the URL of one: `sudo landfall site add updates.channels <URL>`.',
  zh: '这台服务器没有更新频道，无法获知新版本。添加频道地址：`sudo landfall site add updates.channels <URL>`。',
};

/** Prints it. */
function hasNoChannels({ site }: Facts, json: boolean | undefined): boolean {
  if (site.updates.channels.length > 0) return false;
  console.log(json ? JSON.stringify({ channels: [] }) : inLanguage(noChannels));
  return true;
}

async function show(host: Host, state: UpdateState, json: boolean | undefined): Promise<void> {
  const { announced: _announced, ...shown } = state;
  const { open, last } = await progressOf(host);
  const rows = progressRows(open, last);
  console.log(json ? asJson(shown, open, last) : describeUpdate(state, rows));
}

async function progressOf(host: Host) {
  return { open: await storedTransaction.read(host), last: (await readHistory(host)).at(-1) };
}

/** The pass of a closed server is a secret. */
function asJson(
  shown: object,
  open: Transaction | undefined,
  last: EndedUpdate | undefined,
): string {
  const transaction = open ? { ...open, pass: undefined } : null;
  return JSON.stringify({ ...shown, transaction, last: last ?? null }, null, 2);
}
