import { componentOf, selectableComponents } from '#contract/component-names.ts';
import type { Site } from '#contract/site/site.ts';
import type { Warning } from '../stage/warning.ts';

/** Returns a warning about each enabled component that gets no more releases. */
export function upkeepWarnings({ components }: Pick<Site, 'components'>): Warning[] {
  return selectableComponents
    .filter((name) => components[name])
    .flatMap((name) => {
      const text = componentOf(name).upkeep;
      return text === undefined ? [] : [{ kind: 'component' as const, subject: name, text }];
    });
}
