import { z } from 'zod';
import { program } from '#contract/bundle/bundle-paths.ts';
import type { ComponentName } from '#contract/components.ts';
import { LandfallError } from '#contract/errors.ts';
import { nodeBinary } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Host } from '../../server/host/host.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { type StageName, stageNames } from '../../server/stage/stage.ts';
import type { SmokeTest } from '../../shared/smoke/smoke-test.ts';
import { smokeTests } from '../../shared/smoke/smoke-tests.ts';
import { changes } from './kinds.ts';

/**
 * What the program of a release does for the driver of an update, which may be that of another release
 * (decision 66). Phases keep their meaning in every release:
 *
 * - `plan`: prints which services would change; changes nothing
 * - `baseline`: smoke tests of the release that is left, so that `verify` blames no other one for them
 * - `prepare`: the stages before the stack
 * - `close`: closes the gateway and the loopback ports for all without the pass
 * - `switch`: the stages of the stack
 * - `verify`: smoke tests, images, and the data that was there before
 * - `finish`: opens the server if the transaction has no pass, and writes the report
 */
export const phases = [
  'plan',
  'baseline',
  'prepare',
  'close',
  'switch',
  'verify',
  'finish',
] as const;
export type Phase = (typeof phases)[number];

/** A line of a child's output. Unknown events and fields of later releases are ignored. */
const lineSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('line'), text: z.string() }),
  z.object({ event: z.literal('plan'), changed: z.array(z.string()).nullable() }),
  z.object({
    event: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    problems: z.array(z.string()).default([]),
  }),
]);
export type PhaseEvent = z.infer<typeof lineSchema>;

/** A release of this server. */
interface InstalledRelease {
  /** Absolute path. */
  readonly folder: string;
}

interface PhaseOptions {
  readonly transaction: string;
  readonly phase: Phase;
  /** Seconds after which the child is ended. */
  readonly limit: number;
  readonly onLine: (text: string) => void;
}

/**
 * Runs a phase of a release as a child.
 * @returns the events that are results
 * @throws LandfallError UPDATE_FAILED with the error of the child
 */
export async function runPhase(
  host: Host,
  { folder }: InstalledRelease,
  { transaction, phase, limit, onLine }: PhaseOptions,
): Promise<PhaseEvent[]> {
  const events: PhaseEvent[] = [];
  const onOutput = (line: string) => {
    const event = readJson(lineSchema, line);
    if (event?.event === 'line') onLine(plainLine(event.text, 500));
    else if (event) events.push(event);
  };
  const args = ['apply-release', '--transaction', transaction, '--phase', phase];
  try {
    await host.run(`${folder}/${nodeBinary}`, [`${folder}/${program}`, ...args], {
      seconds: limit,
      onLine: onOutput,
    });
  } catch (cause) {
    throw failureOf(events, phase, cause);
  }
  return events;
}

function failureOf(events: readonly PhaseEvent[], phase: Phase, cause: unknown): LandfallError {
  const failed = events.find(({ event }) => event === 'failed');
  if (failed?.event !== 'failed') {
    const { message, problems = [] } = cause as LandfallError;
    return new LandfallError('UPDATE_FAILED', `${phase}: ${message}`, { problems, cause });
  }
  const text = plainLine(`${failed.code}: ${failed.message}`, 1000);
  return new LandfallError('UPDATE_FAILED', text, {
    problems: failed.problems.map((message) => ({ message: plainLine(message, 1000) })),
    cause,
  });
}

/** What a transaction does, as far as a changed site limits it. */
type Work = Pick<Transaction, 'kind' | 'plan'>;

/** The stages of the phase `prepare`. */
const beforeStack: readonly string[] = stageNames.slice(0, stageNames.indexOf('secrets'));
/** Every component works on top of these. */
const belowAll: readonly string[] = ['route', 'runtime', 'images'] satisfies StageName[];
/** The components behind which a stage is tested, besides those that restart. */
const testedBehind: Readonly<Record<string, readonly ComponentName[]>> = {
  firewall: ['gateway', 'docs'],
  stack: ['gateway', 'docs'],
  tls: ['gateway', 'docs'],
  models: ['engine', 'ui'],
} satisfies Partial<Record<StageName, readonly ComponentName[]>>;

/** Returns the stages that a changed site names; undefined: all. */
function namedStages(work: Work): readonly string[] | undefined {
  return changes('site', work) ? (work.plan?.stages ?? undefined) : undefined;
}

/**
 * Returns the smoke tests of what a transaction changes. After a change of the site these are the tests of its
 * components, without those that need other services: their failures never undo a change.
 */
export function testsOfWork(work: Work): readonly SmokeTest[] {
  const stages = namedStages(work);
  const changed = work.plan?.changed;
  if (!stages || !changed || stages.some((name) => belowAll.includes(name))) return smokeTests;
  const tested = new Set<string>([
    ...changed,
    ...stages.flatMap((name) => testedBehind[name] ?? []),
  ]);
  return smokeTests.filter(({ component, needsOthers }) => tested.has(component) && !needsOthers);
}

/** Returns whether a phase has something to do. A changed site needs only what its plan names. */
export function hasWork(phase: Phase, work: Work): boolean {
  const stages = namedStages(work);
  if (!stages) return true;
  switch (phase) {
    case 'prepare':
      return stages.some((name) => beforeStack.includes(name));
    case 'switch':
      // A stage may need others after it, such as a restart of Docker.
      return stages.some((name) => name !== 'report');
    case 'baseline':
    case 'verify':
      return testsOfWork(work).length > 0;
    default:
      return true;
  }
}
