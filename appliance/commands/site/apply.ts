import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { LandfallError } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { changes } from '../../operations/transactions/kinds.ts';
import { writeCandidate } from '../../operations/transactions/stored-sites.ts';
import { updateRuns } from '../../operations/update/download/stage-release.ts';
import { readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { takeChangeLock, takeRunLock } from '../../server/host/lock/run-lock.ts';
import { type Facts, readSite } from '../../server/load-facts.ts';
import { isApplying, storedTransaction } from '../../server/records/transaction.ts';
import { installedRelease } from '../../server/stage/installed.ts';
import { silentReporter } from '../../server/stage/reporter.ts';
import { problemsOf } from '../../stages/preflight/stage.ts';
import { askFor } from '../ask-yes.ts';
import { applyKept, followUpdate } from '../update/follow.ts';
import { siteToUndo } from '../update/undo.ts';
import { expectChangeable } from './changeable.ts';
import { changeTo, describeChange } from './diff.ts';
import { nextAfter } from './next-commands.ts';
import { currentText, readSource, type SiteSource, saveText } from './source.ts';

/**
 * Changes the site of this server, as a transaction: if a stage fails or the server does not pass its
 * tests, the earlier site comes back (decision 70).
 * @param file path, or `-` for standard input; default: site.yaml of this server, edited by hand
 * @throws LandfallError those of `readSource`; USAGE for a field that this command does not change;
 *   UPDATE_FAILED if the earlier site came back
 */
export async function applySite(facts: Facts, file?: string, yes = false): Promise<void> {
  await applyChanged(facts, () => readSource(facts.host, file), yes);
}

/**
 * Applies a site, after a change that is being applied already. See {@link applySite}.
 * @returns false if the answer was no
 */
export async function applyChanged(
  facts: Facts,
  read: () => Promise<SiteSource | undefined>,
  yes: boolean,
): Promise<boolean> {
  await followOpen(facts.host);
  const source = await read();
  // The change that was followed may have replaced it.
  const before = await readText(facts.host, siteFile);
  const site = await readSite(facts.host);
  return source === undefined || (await change({ ...facts, site }, source, { yes, before }));
}

/**
 * Goes back to the site before the last change.
 * @throws LandfallError STATE_INVALID if there is none; UPDATE_FAILED
 */
export async function undoSite(facts: Facts, yes = false): Promise<void> {
  await applyChanged(facts, () => siteToUndo(facts.host), yes);
}

/** Follows a change that is being applied, such as that of a window that was closed. */
async function followOpen(host: Host): Promise<void> {
  const running = await storedTransaction.read(host);
  if (!running || !isApplying(running)) return;
  if (!changes('site', running)) throw updateRuns(running);
  const text = { en: 'A change is being applied already:', zh: '已有更改正在应用：' };
  console.log(inLanguage(text));
  await followUpdate(host, running);
}

/** Seconds: a model that the site adds may be pulled for hours. */
const limit = 6 * 3600;

interface ChangeOptions {
  readonly yes: boolean;
  /** The text of site.json with which the difference is shown. */
  readonly before: string | undefined;
}

async function change(
  facts: Facts,
  { site, text }: SiteSource,
  { yes, before }: ChangeOptions,
): Promise<boolean> {
  const { host } = facts;
  const found = await changeTo(facts, site);
  console.log(describeChange(found));
  const { differences, stages, restarts, confirms } = found;
  if (differences.length === 0) {
    // Comments, or another order.
    if (text !== (await currentText(host))) await saveText(host, text);
    return true;
  }
  const isInstalled = (await installedRelease(host)) !== undefined;
  if (isInstalled) {
    await expectChangeable(host, site, differences);
    await expectFit({ ...facts, site });
  }
  const question = { en: '\nApply it? [y/N] ', zh: '\n应用吗？[y/N] ' };
  if (!yes && !(await askFor('y', inLanguage(question), '--yes'))) {
    console.log(inLanguage({ en: 'Nothing was changed.', zh: '未做任何更改。' }));
    return false;
  }
  const json = asciiJson(briefSite(site));
  if (!isInstalled) {
    await takeChangeLock(host, console.log);
    await expectSameSite(host, before);
    await replaceSite(host, { json, text });
    return true;
  }
  const lock = await takeRunLock(host, 'update');
  await expectSameSite(host, before);
  // A change that was interrupted before it began; a download stays on the disk.
  const interrupted = await storedTransaction.read(host);
  if (interrupted && changes('site', interrupted)) await storedTransaction.remove(host);
  const id = randomUUID();
  const author = process.env.SUDO_USER ?? userInfo().username;
  await writeCandidate(host, id, { json, text, author });
  const planned = { changed: [...restarts], stages: stages.map(({ name }) => name) };
  await applyKept(facts, { kind: 'site', restoreFrom: id }, { limit, lock, confirms, planned });
  const next = await nextAfter(host, facts.site, site);
  if (next !== undefined) console.log(`\n${next}`);
  return true;
}

/**
 * Another administrator may have changed the site since the difference was shown, and this change would undo theirs.
 * @throws LandfallError ALREADY_RUNNING
 */
async function expectSameSite(host: Host, before: string | undefined): Promise<void> {
  if ((await readText(host, siteFile)) === before) return;
  throw new LandfallError(
    'ALREADY_RUNNING',
    inLanguage({
      en: 'the site was changed by another command meanwhile',
      zh: '站点在此期间被另一条命令更改',
    }),
    {
      hint: {
        en: 'Run this command again: it shows what differs now. Nothing was changed.',
        zh: '再次运行这条命令，它会显示现在的差异。没有更改任何内容。',
      },
    },
  );
}

/** Replaces the site of a server whose first boot has stopped, such as at a route that does not work. */
async function replaceSite(host: Host, site: { json: string; text: string }): Promise<void> {
  await saveText(host, site.text);
  await writeText(host, siteFile, site.json, { mode: 0o600 });
  const text = {
    en: 'The site is changed. The first boot goes on with it; now: sudo landfall first-boot',
    zh: '站点已更改，首次启动将使用它继续。立即继续：sudo landfall first-boot',
  };
  console.log(inLanguage(text));
}

/** @throws LandfallError SERVER_UNFIT for models that do not fit, used ports and the like */
async function expectFit(facts: Facts): Promise<void> {
  const problems = await problemsOf({ ...facts, report: silentReporter });
  if (problems.length === 0) return;
  const message = 'this server does not meet the requirements of the site';
  throw new LandfallError('SERVER_UNFIT', message, {
    hint: { en: 'Nothing was changed.', zh: '没有更改任何内容。' },
    problems,
  });
}
