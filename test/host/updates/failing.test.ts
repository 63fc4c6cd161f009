import { it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { useUpdatedServer } from './updated-server.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** `installed.test.ts` has the release that loses chats. */
given.describe(`a failing update of ${distribution}`, () => {
  const server = useUpdatedServer(given, distribution);

  it.each([
    ['0.3.0', 'does-not-start', 'STACK_UNHEALTHY', ''],
    ['0.4.0', 'fails-half-way', 'STACK_UNHEALTHY', ''],
    ['0.5.0', 'fails-smoke', 'SMOKE_FAILED', ''],
    ['0.7.0', 'hangs', 'timed out', '--max-pause 30'],
  ] as const)('goes back from %s, which %s', async (version, ui, reason, options) => {
    await server().goesBackFrom(version, ui, reason, options);
  });
});
