import type { ComponentName } from '#contract/components.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import { type StageName, stageNames } from '../../server/stage/stage.ts';
import type { SmokeTest } from '../../shared/smoke/smoke-test.ts';
import { smokeTests } from '../../shared/smoke/smoke-tests.ts';
import type { Phase } from '../transactions/phases.ts';

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
function namedStages({ kind, plan }: Work): readonly string[] | undefined {
  return kind === 'site' ? (plan?.stages ?? undefined) : undefined;
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
