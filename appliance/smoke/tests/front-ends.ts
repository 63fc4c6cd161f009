import { z } from 'zod';
import { expectStatus, jsonOf } from '../exchange.ts';
import { expectPage } from '../page.ts';
import { askPlace, type Place, placeOf, whyNoPlace, whyNotPublic } from '../place.ts';
import type { SmokeTest } from '../smoke-test.ts';
import { upgradeStatus } from '../web-socket.ts';

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
const question = { model: 'landfall-smoke', messages: [{ role: 'user', content: 'Hello' }] };

const logOf = (part: string) => `sudo docker logs --tail 50 landfall-${part}`;
/** Its own log is off, because it prints keys. */
const chatLookAt = 'sudo docker inspect --format "{{json .State}}" landfall-chat';
const gatewayFault = (part: string) =>
  `${logOf('gateway')}; until it holds, stop it: sudo docker stop landfall-${part}`;

export const frontEndTests: readonly SmokeTest[] = [
  {
    name: 'chat-page',
    title: 'the front-end for one provider shows its page',
    lookAt: chatLookAt,
    notFor: (target) => whyNoPlace(target, 'chat'),
    run: (target) => expectPage(placeOf(target, 'chat'), '/'),
  },
  {
    name: 'chat-code',
    title: 'the front-end for one provider asks for its code',
    lookAt: `${chatLookAt}; until it does, stop it: sudo docker stop landfall-chat`,
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
  {
    name: 'lobe-page',
    title: 'the front-end for many providers shows its page',
    lookAt: logOf('lobe'),
    notFor: (target) => whyNoPlace(target, 'lobe'),
    run: (target) => expectPage(placeOf(target, 'lobe'), '/'),
  },
  {
    name: 'lobe-code',
    title: 'the front-end for many providers asks for its code',
    lookAt: `${logOf('lobe')}; until it does, stop it: sudo docker stop landfall-lobe`,
    notFor: (target) => whyNoPlace(target, 'lobe'),
    run: async (target) => {
      const call = { method: 'POST', body: question } as const;
      expectStatus(await askPlace(placeOf(target, 'lobe'), '/webapi/chat/openai', call), 401);
    },
  },
  // CVE-2026-44578: an upgrade could be sent anywhere.
  ...(['chat', 'lobe'] as const).map(
    (part): SmokeTest => ({
      name: `${part}-no-upgrade`,
      title: `no WebSocket gets through to the front-end ${part}`,
      lookAt: gatewayFault(part),
      notFor: (target) => whyNotPublic(target, part),
      run: async (target) => {
        const status = await upgradeStatus(placeOf(target, part));
        if (status === 101) throw new Error('the upgrade was passed on');
      },
    }),
  ),
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
