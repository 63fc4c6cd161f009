import { z } from 'zod';
import { logCommand } from '#contract/log-command.ts';
import { expectStatus, jsonOf } from '../exchange.ts';
import { askPlace, type Place, placeOf, whyNoPlace, whyNotPublic } from '../place.ts';
import type { SmokeTest } from '../smoke-test.ts';
import { gatewayFault } from './gateway-fault.ts';
import { noUpgrade } from './no-upgrade.ts';

/** NextChat's own description of itself, as far as the project relies on it. */
const configSchema = z.object({ needCode: z.literal(true), hideUserApiKey: z.literal(true) });

/** What NextChat would fetch from elsewhere, or give to third parties, for anybody. */
const leakingPaths = [
  '/api/anything/at/all',
  '/api/proxy/landfall',
  '/api/webdav/landfall',
  '/google-fonts/landfall',
  '/sharegpt',
  // Its server matches paths without regard to case.
  '/API/proxy/landfall',
  '/Google-Fonts/landfall',
  '/ShareGPT',
];

export const chatTests: readonly SmokeTest[] = [
  {
    name: 'chat-code',
    title: 'the front-end for one provider asks for its code',
    lookAt: `${logCommand('chat')}; until it does, stop it: sudo docker stop landfall-chat`,
    notFor: (target) => whyNoPlace(target, 'chat'),
    run: (target) => expectChatCode(placeOf(target, 'chat')),
  },
  {
    name: 'chat-leaks-cut',
    title: 'routes of the front-end that leak are cut off',
    lookAt: gatewayFault('chat'),
    notFor: (target) => whyNotPublic(target, 'chat'),
    run: (target) => expectLeaksCut(placeOf(target, 'chat')),
  },
  {
    name: 'chat-third-parties',
    title: 'the page of the front-end loads nothing from third parties',
    lookAt: gatewayFault('chat'),
    notFor: (target) => whyNotPublic(target, 'chat'),
    run: (target) => expectOwnSourcesOnly(placeOf(target, 'chat')),
  },
  noUpgrade('chat'),
];

/** Without a code, NextChat tells that it wants one, and asks no provider. */
async function expectChatCode(place: Place): Promise<void> {
  configSchema.parse(jsonOf(await askPlace(place, '/api/config')));
  expectStatus(await askPlace(place, '/api/openai/v1/models'), 401);
}

/**
 * NextChat fetches what `x-base-url` names, with the key that it holds (v2.16.1, app/api/proxy.ts).
 * @throws Error that names every path that is open
 */
export async function expectLeaksCut(place: Place): Promise<void> {
  const headers = { 'x-base-url': 'https://landfall.invalid/api.openai.com' };
  const open: string[] = [];
  for (const path of leakingPaths) {
    const { status } = await askPlace(place, path, { headers });
    if (status !== 403) open.push(`${path} (status ${status})`);
  }
  if (open.length > 0) throw new Error(`open: ${open.join(', ')}`);
}

/** It asks Google Analytics in, whatever its settings say; the browser has to be told. */
export async function expectOwnSourcesOnly(place: Place): Promise<void> {
  const policy = (await askPlace(place, '/')).header('content-security-policy') ?? '';
  for (const directive of ['default-src', 'connect-src']) {
    const sources = policy
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .find(([name]) => name === directive);
    if (!sources?.includes("'self'") || sources.some((source) => /[.*]|^https?:/.test(source))) {
      throw new Error(
        `the policy lets in more than the server itself: ${policy || 'there is none'}`,
      );
    }
  }
}
