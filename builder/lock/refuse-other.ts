import { LandfallError } from '#contract/errors.ts';
import { unresolved } from './lock-values.ts';

type Fields = Readonly<Record<string, string | number>>;

/**
 * Rejects values of a source that differ from the lock. `unresolved` fields are not compared.
 * @throws LandfallError LOCK_DRIFT naming both values of every field that differs
 */
export function refuseOther(name: string, known: Fields | undefined, found: Fields): void {
  const problems = Object.entries(found).flatMap(([field, value]) => {
    const locked = known?.[field] ?? unresolved;
    if (locked === unresolved || locked === value) return [];
    return [{ message: `${field}: locked ${locked}, found ${value}` }];
  });
  if (problems.length === 0) return;
  throw new LandfallError('LOCK_DRIFT', 'the source does not match the lock', {
    hint: `Check why it changed, then accept it with \`landfall lock --update ${name}\`.`,
    problems,
  });
}
