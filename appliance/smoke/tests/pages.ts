import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { logCommand } from '#contract/log-command.ts';
import { expectPage } from '../page.ts';
import { placeOf, whyNoPlace } from '../place.ts';
import type { SmokeTest } from '../smoke-test.ts';

/** Returns a test for a component that people open in a browser: it shows its page. */
export function pageTest(name: ComponentName): SmokeTest[] {
  const { title = name, page } = componentOf(name);
  if (page === undefined) return [];
  return [
    {
      name: `${name}-page`,
      title: `the ${title} shows its page`,
      lookAt: logCommand(name),
      notFor: (target) => whyNoPlace(target, name),
      run: (target) => expectPage(placeOf(target, name), '/'),
    },
  ];
}
