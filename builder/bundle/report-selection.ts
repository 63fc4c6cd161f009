import { unresolved, unresolvedInImage } from '../lock/lock.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { Selected } from './select-components.ts';
import type { SelectedModel } from './select-models.ts';

/** Reports what a bundle leaves out and what the lock pins only in part. */
export function reportSelection(
  reporter: Reporter,
  components: readonly Selected[],
  unknown: readonly string[],
  models: readonly SelectedModel[],
): void {
  for (const name of unknown) {
    reporter.note(`${name} is left out: its digest is not locked; run \`landfall lock\``);
  }
  const partly = components
    .filter(({ name, locked }) => unresolvedInImage(name, locked).length > 0)
    .map(({ name }) => name);
  if (partly.length > 0) {
    reporter.note(
      `pinned by index digest only, manifests and sizes unresolved: ${partly.join(', ')}`,
    );
  }
  for (const { name, locked } of models) {
    if (!Object.values(locked).includes(unresolved)) continue;
    reporter.note(
      `${name} is not pinned: the server pulls the current version; run \`landfall lock\` to pin it`,
    );
  }
}
