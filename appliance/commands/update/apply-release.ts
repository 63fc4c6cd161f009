import { LandfallError } from '#contract/errors.ts';
import { transactionFile } from '#contract/server-paths.ts';
import { inBoth, type Language } from '#contract/text/language.ts';
import { changedServices, testBefore, verifyRelease } from '../../operations/driver/verify.ts';
import { changes, kinds } from '../../operations/transactions/kinds.ts';
import type { Phase, PhaseEvent } from '../../operations/transactions/phases.ts';
import { closedPorts } from '../../operations/transactions/units.ts';
import { type CommandFiles, installCommand } from '../../server/host/install-command.ts';
import { install } from '../../server/host/service.ts';
import { type OpenTransaction, openTransaction } from '../../server/records/transaction.ts';
import { Journal } from '../../server/stage/journal.ts';
import {
  isSameWarning,
  type Reporter,
  storedWarning,
  type Warning,
  warningLine,
} from '../../server/stage/reporter.ts';
import { runAlone, runIfNeeded } from '../../server/stage/run-stages.ts';
import type { Context, StageName } from '../../server/stage/stage.ts';
import { titleOf } from '../../server/stage/stage-texts.ts';
import { stagesFor } from '../../stages/first-boot.ts';
import { reportStage } from '../../stages/report/stage.ts';
import { storedReport } from '../../stages/report/stored-report.ts';
import { reloadGateway } from '../../stages/stack/compose.ts';
import { serviceStates } from '../../stages/stack/stack-state.ts';
import { forgetStopped } from '../../stages/stack/stopped.ts';
import { writeGateway } from '../../stages/stack/write-stack.ts';
import { serverFacts } from '../command.ts';
import { awaitAnswers } from '../daily/answers.ts';

/**
 * Runs a phase of an update with this release, for the driver of another one (decision 66). Takes no
 * lock, because the driver has them. Prints one JSON object per line.
 * @param id the open update
 * @throws what the phase throws, after it was printed
 */
export async function applyRelease(id: string, phase: Phase, files: CommandFiles): Promise<void> {
  try {
    await runPhaseHere(id, phase, files);
  } catch (error) {
    print(failureEvent(error));
    throw error;
  }
}

function print(event: PhaseEvent): void {
  console.log(JSON.stringify(event));
}

function failureEvent(error: unknown): PhaseEvent {
  const { message } = error as Error;
  if (!(error instanceof LandfallError))
    return { event: 'failed', code: 'BUG', message, problems: [] };
  const problems = error.problems.map((problem) => problem.message);
  return { event: 'failed', code: error.code, message, problems };
}

/** @param known warnings that the report has already */
function reporterFor(known: readonly Warning[], language: Language | undefined): Reporter {
  const say = (text: string) => print({ event: 'line', text });
  return {
    say,
    waitFor: (_what, text) => say(text),
    warn: (warning) => {
      const stored = storedWarning(warning, language);
      if (known.some((each) => isSameWarning(each, stored))) return;
      say(warningLine(warning.text));
    },
    progress: () => {},
  };
}

async function runPhaseHere(id: string, phase: Phase, files: CommandFiles): Promise<void> {
  const facts = await serverFacts();
  const { host } = facts;
  const open = await openTransaction.read(host);
  if (open?.id !== id) {
    throw new LandfallError('STATE_INVALID', `/${transactionFile} is not of this update`, {
      hint: {
        en: 'Run `sudo landfall update status`.',
        zh: '运行 `sudo landfall update status`。',
      },
    });
  }
  const known = changes('site', open) ? (await storedReport.read(host))?.warnings : undefined;
  const context: Context = { ...facts, report: reporterFor(known ?? [], facts.site.language) };
  switch (phase) {
    case 'plan':
      return print({ event: 'plan', changed: await changedServices(context).catch(unknownPlan) });
    case 'baseline':
      return await testBefore(context, open);
    case 'prepare':
      return await runBefore(context, open, 'secrets');
    case 'close':
      return await close(context);
    case 'switch':
      // A server that was closed has waited.
      if (open.plan?.closes === false)
        await awaitAnswers(context, open.plan.changed ?? [], context.report.say);
      // The new release is verified with all components.
      await forgetStopped(context.host);
      return await runSome(context, open, ['secrets', 'stack', 'tls', 'models']);
    case 'verify':
      return await verifyRelease(context, open);
    case 'finish':
      return await finish(context, open, files);
  }
}

/** The release has a secret that is generated later, or Docker does not respond. */
function unknownPlan(error: unknown): null {
  if (error instanceof LandfallError) return null;
  throw error;
}

/** Runs the stages before one of them. */
async function runBefore(context: Context, open: OpenTransaction, end: StageName): Promise<void> {
  const names = stagesFor(context).map(({ name }) => name);
  await runSome(context, open, names.slice(0, names.indexOf(end)));
}

async function runSome(
  context: Context,
  open: OpenTransaction,
  names: readonly StageName[],
): Promise<void> {
  const journal = new Journal(context.host);
  for (const stage of stagesFor(context).filter(({ name }) => names.includes(name))) {
    if (onlyDiffers(open)) await runIfNeeded(stage, context, journal);
    else {
      context.report.say(titleOf(stage));
      await runAlone(stage, context, journal);
    }
  }
}

/**
 * Whether the server worked with this release before: a change of the site, and the way back. Stages with nothing to do
 * are those of then.
 */
function onlyDiffers(open: OpenTransaction): boolean {
  return changes('site', open) || kinds[open.kind].isReturn || open.state === 'rolling-back';
}

/** The transaction has a pass by now, so the gateway is rendered closed. */
async function close(context: Context): Promise<void> {
  const { host, site } = context;
  await writeGateway(context);
  await reloadGateway(host);
  await install(host, closedPorts(site));
  // No new ones begin, and the chat UI stores those that are being written.
  await awaitAnswers(context, ['ui'], context.report.say);
}

/**
 * Opens the gateway, if the transaction has no pass any more, and writes what users of this release see. A change of the
 * site has closed nothing, and leaves the command.
 */
async function finish(context: Context, open: OpenTransaction, files: CommandFiles): Promise<void> {
  const { host, report } = context;
  const warn = ({ message }: Error) => report.say(warningLine(inBoth(message)));
  if (!changes('site', open)) {
    await writeGateway(context);
    // A gateway that could not be started reads the files when it starts. An update must end.
    const gateway = (await serviceStates(host)).find(({ name }) => name === 'gateway');
    if (gateway?.state === 'running') await reloadGateway(host).catch(warn);
    await installCommand(host, files);
  }
  // The server works; a report that cannot be written must not keep the update open.
  await runAlone(reportStage, context, new Journal(host)).catch(warn);
}
