import { expectStatus } from './exchange.ts';
import { askPlace, type Place } from './place.ts';

/** More would be a loop. */
const mostRedirects = 3;

/**
 * Opens a page as a browser does, and follows where it is sent as long as that is the same place.
 * @throws Error when there is no page in the end
 */
export async function expectPage(place: Place, path: string): Promise<void> {
  let at = path;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await askPlace(place, at);
    const next = ownPath(place, at, answer.header('location'));
    if (answer.status >= 300 && answer.status < 400 && next && redirects < mostRedirects) {
      at = next;
      continue;
    }
    expectStatus(answer, 200);
    if (!/<html/i.test(answer.text)) throw new Error('the answer is not a page');
    return;
  }
}

function ownPath({ base }: Place, from: string, location = ''): string | undefined {
  const url = URL.parse(location, `${base}${from}`);
  return location && url?.origin === new URL(base).origin ? url.pathname + url.search : undefined;
}
