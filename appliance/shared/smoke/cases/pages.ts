import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { inLanguage } from '#contract/text/language.ts';
import { callEndpoint, type Endpoint, endpointOf } from '../endpoint.ts';
import { expectStatus } from '../exchange.ts';
import { type SmokeTest, testsOf } from '../smoke-test.ts';

/** Returns the test of a component's page; empty for a component without one. */
export function pageTest(name: ComponentName): SmokeTest[] {
  const { title, page } = componentOf(name);
  if (page === undefined) return [];
  return testsOf(name, [
    {
      name: `${name}-page`,
      title: `the ${title?.en ?? name} serves its page`,
      chinese: `${title?.zh ?? name}能打开`,
      run: (target) => expectPage(endpointOf(target, name), '/'),
    },
  ]);
}

/** Maximum number of redirects. */
const maxRedirects = 3;

/**
 * Loads a page as a browser does. Follows redirects of the same origin.
 * @throws Error when the final response is not a page
 */
async function expectPage(endpoint: Endpoint, path: string): Promise<void> {
  let at = path;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await callEndpoint(endpoint, at);
    const next = ownPath(endpoint, at, answer.header('location'));
    if (answer.status >= 300 && answer.status < 400 && next && redirects < maxRedirects) {
      at = next;
      continue;
    }
    expectStatus(answer, 200);
    if (!/<html/i.test(answer.text))
      throw new Error(
        inLanguage({ en: 'the response is not an HTML page', zh: '响应不是 HTML 页面' }),
      );
    return;
  }
}

function ownPath({ base }: Endpoint, from: string, location = ''): string | undefined {
  const url = URL.parse(location, `${base}${from}`);
  return location && url?.origin === new URL(base).origin ? url.pathname + url.search : undefined;
}
