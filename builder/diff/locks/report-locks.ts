import type { Lock } from '../../lock/lock.ts';
import { type Comparison, filled } from '../comparison.ts';
import type { LockSide, Pair } from '../sides/side.ts';
import { compareLocks } from './compare-locks.ts';
import { lockSections, lockSummary } from './describe-locks.ts';
import { lockCost } from './lock-cost.ts';

/** Compares two lock files. */
export function reportLocks({ before, after }: Pair<LockSide>): Comparison {
  const locks = { before: before.lock, after: after.lock };
  const changes = compareLocks(locks);
  const cost = lockCost(locks);
  const different = Object.values(changes).some((list) => list.length > 0);
  return {
    different,
    report: {
      title: `Lock file of ${days(locks)}`,
      summary: different ? lockSummary(cost) : ['No differences.'],
      sections: filled(lockSections(changes)),
      texts: [],
      notes: [],
    },
    json: {
      type: 'locks',
      different,
      before: { type: before.type, name: before.name },
      after: { type: after.type, name: after.name },
      cost,
      ...changes,
    },
  };
}

/** Returns `2026-11-22 → 2026-11-29`. */
function days({ before, after }: Pair<Lock>): string {
  return [...new Set([before, after].map(({ created }) => created.slice(0, 10)))].join(' → ');
}
