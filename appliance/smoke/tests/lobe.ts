import { z } from 'zod';
import type { Answer } from '../exchange.ts';
import { lobeAuth, lobeAuthHeader } from '../lobe-auth.ts';
import { askPlace, placeOf, whyNoPlace, whyNotPublic } from '../place.ts';
import { insideOf, insideOnly, type SmokeTest } from '../smoke-test.ts';
import type { Target } from '../target.ts';
import { gatewayFault } from './gateway-fault.ts';
import { noUpgrade } from './no-upgrade.ts';
import { whyNoProvider } from './relay.ts';

/** LobeChat's own error (1.143.3, utils/errorResponse.ts). */
const errorSchema = z.object({ errorType: z.union([z.string(), z.number()]) });

/** Interfaces that fetch the URL that a visitor names, by all paths at which Next.js finds them. */
const fetchingPaths = [
  '/webapi/proxy',
  '/webapi/plugin/gateway',
  '/WebAPI/Proxy',
  '/_next/data/landfall/webapi/proxy.json',
];
/** LobeChat puts it into the path of a page. */
const fetchingCookie = 'LOBE_THEME_APPEARANCE=x/../../webapi/proxy';

/** No provider has such a model, so asking for it costs nothing. */
const question = { model: 'landfall-smoke', messages: [{ role: 'user', content: 'Hello' }] };

const lookAt = 'sudo docker logs --tail 50 landfall-lobe';

export const lobeTests: readonly SmokeTest[] = [
  {
    name: 'lobe-code',
    title: 'the front-end for many providers asks for its code',
    lookAt: `${lookAt}; until it does, stop it: sudo docker stop landfall-lobe`,
    notFor: (target) => whyNoPlace(target, 'lobe'),
    run: (target) => expectCode(target),
  },
  {
    name: 'lobe-relay-key',
    title: 'the front-end for many providers has a key of the relay',
    needsOthers: true,
    lookAt: `${lookAt}; sudo docker logs --tail 50 landfall-relay`,
    notFor: (target) => whyNoPlace(target, 'lobe') ?? insideOnly(target) ?? whyNoProvider(target),
    run: async (target) => {
      const { status } = await ask(target, 'openai', insideOf(target).secrets.LOBE_ACCESS_CODE);
      // The relay turns a provider's own 401 into another status, so this one is about relay keys.
      if (status === 401) throw new Error('the relay rejects the key of the front-end');
    },
  },
  {
    name: 'lobe-leaks-cut',
    title: 'routes of the front-end that fetch any URL are blocked',
    lookAt: gatewayFault('lobe'),
    notFor: (target) => whyNotPublic(target, 'lobe'),
    run: async (target) => {
      for (const path of fetchingPaths) {
        const { status } = await askPlace(placeOf(target, 'lobe'), path, {
          method: 'POST',
          body: {},
        });
        if (status !== 403) throw new Error(`open: ${path} (status ${status})`);
      }
      const headers = { cookie: fetchingCookie };
      const call = { method: 'POST', headers, body: {} } as const;
      const { status } = await askPlace(placeOf(target, 'lobe'), '/', call);
      if (status !== 403) throw new Error(`open: a cookie that names a path (status ${status})`);
    },
  },
  noUpgrade('lobe'),
];

/**
 * LobeChat rejects a wrong code, and accepts the right one: a LobeChat without any settings rejects
 * both. The provider has no key, so the question leaves the container in neither case.
 */
async function expectCode(target: Target): Promise<void> {
  const rejected = 'InvalidAccessCode';
  const wrong = errorOf(await ask(target, 'landfall', 'landfall-smoke-wrong-code'));
  if (wrong !== rejected) throw new Error(`a wrong code gives ${wrong}, not ${rejected}`);
  if (!target.inside) return;
  const right = errorOf(await ask(target, 'landfall', target.inside.secrets.LOBE_ACCESS_CODE));
  if (right === rejected) throw new Error('the code of this server is rejected');
}

async function ask(target: Target, provider: string, accessCode = ''): Promise<Answer> {
  return await askPlace(placeOf(target, 'lobe'), `/webapi/chat/${provider}`, {
    method: 'POST',
    headers: { [lobeAuthHeader]: lobeAuth({ accessCode }) },
    body: question,
  });
}

function errorOf({ status, text }: Answer): string {
  try {
    return String(errorSchema.parse(JSON.parse(text)).errorType);
  } catch {
    return `status ${status}`;
  }
}
