import type { Attempt } from './exchange/attempt.ts';

/** Statuses of a provider that blocks this address or network; some mean a missing key by 403. */
const denials: Readonly<Record<number, string>> = {
  403: 'access denied',
  407: 'proxy authentication required',
  451: 'unavailable for legal reasons',
};

/**
 * Adds the failure of a status that is not the provider's: it shows that this route does not work.
 * 401 and 404 count as reachable, because no key is sent and base URLs differ.
 */
export function withStatus(attempt: Attempt): Attempt {
  const { status } = attempt;
  if (status === undefined) return attempt;
  const why = refusalOf(status);
  if (why === undefined) return attempt;
  const failure = {
    step: 'http',
    code: 'HTTP_STATUS',
    reason: `status ${status}: ${why}`,
  } as const;
  return { ...attempt, failure };
}

function refusalOf(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'redirect to another URL';
  if (status >= 500) return 'server error';
  return denials[status];
}
