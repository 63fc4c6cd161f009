import { type Lock, unresolvedIn } from '../lock/lock.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Selected } from './select-components.ts';

/** Says what a bundle leaves out and what it takes on trust of its index digest alone. */
export function reportSelection(
  reporter: Reporter,
  lock: Lock,
  components: readonly Selected[],
  unknown: readonly string[],
): void {
  for (const name of unknown) {
    reporter.note(`${name} stays out: nobody has resolved its digest yet (landfall lock does)`);
  }
  const open = unresolvedIn(lock).map((line) => line.split(/[ :]/)[0]);
  const partly = components.filter(({ name }) => open.includes(name)).map(({ name }) => name);
  if (partly.length > 0) {
    reporter.note(
      `pinned by index digest only, manifests and sizes unresolved: ${partly.join(', ')}`,
    );
  }
}
