import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { logCommand } from '#contract/log-command.ts';
import { endpointOf, whyNoEndpoint } from '../endpoint.ts';
import { expectPage } from '../page.ts';
import type { SmokeTest } from '../smoke-test.ts';

/** Returns the test of a component's page; empty for a component without one. */
export function pageTest(name: ComponentName): SmokeTest[] {
  const { title = name, page } = componentOf(name);
  if (page === undefined) return [];
  return [
    {
      name: `${name}-page`,
      title: `the ${title} serves its page`,
      chinese: `“${page.heading.zh}”的页面能打开`,
      lookAt: logCommand(name),
      notFor: (target) => whyNoEndpoint(target, name),
      run: (target) => expectPage(endpointOf(target, name), '/'),
    },
  ];
}
