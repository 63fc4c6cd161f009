import { z } from 'zod';
import { logCommand } from '#contract/component-names.ts';
import { readJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { callEndpoint, endpointOf, whyNoEndpoint } from '../endpoint.ts';
import type { Answer } from '../exchange.ts';
import { insideOf, insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { atGateway, expectBlocked, noUpgrade } from './no-upgrade.ts';
import { whyNoChat, whyNoProvider } from './relay.ts';

/** LobeChat's error format (1.143.3, utils/errorResponse.ts). */
const errorSchema = z.object({ errorType: z.union([z.string(), z.number()]) });

/** Routes that fetch a URL chosen by the visitor, with every path that Next.js maps to them. */
const fetchingPaths = [
  '/webapi/proxy',
  '/webapi/plugin/gateway',
  '/WebAPI/Proxy',
  '/_next/data/landfall/webapi/proxy.json',
];
/** LobeChat inserts this value into the path of a page. */
const fetchingCookie = 'LOBE_THEME_APPEARANCE=x/../../webapi/proxy';

/** No provider has this model, so the request is free. */
const question = { model: 'landfall-smoke', messages: [{ role: 'user', content: 'Hello' }] };

export const lobeTests = testsOf('lobe', [
  {
    name: 'lobe-code',
    title: 'the front-end for many providers requires its access code',
    chinese: '多个模型服务商的前端要求访问码',
    isUnsafe: true,
    run: (target) => expectCode(target),
  },
  {
    name: 'lobe-relay-key',
    title: 'the front-end for many providers has a valid relay key',
    chinese: '多个模型服务商的前端有有效的中继密钥',
    needsOthers: true,
    lookAt: `${logCommand('lobe')}; ${logCommand('relay')}`,
    notFor: (target) =>
      whyNoEndpoint(target, 'lobe') ??
      insideOnly(target) ??
      whyNoProvider(target) ??
      whyNoChat(target),
    run: async (target) => {
      const { status } = await ask(target, 'openai', insideOf(target).secrets.LOBE_ACCESS_CODE);
      // The relay maps a provider's 401 to another status, so a 401 concerns the relay key.
      if (status === 401)
        throw new Error(
          inLanguage({
            en: 'the relay rejects the key of the front-end',
            zh: '中继拒绝这个前端的密钥',
          }),
        );
    },
  },
  {
    name: 'lobe-leaks-cut',
    title: 'the gateway blocks routes of the front-end that fetch any URL',
    chinese: '网关屏蔽该前端会抓取任意 URL 的路径',
    ...atGateway('lobe'),
    run: async (target) => {
      const endpoint = endpointOf(target, 'lobe');
      await expectBlocked(endpoint, fetchingPaths, { body: {} });
      await expectBlocked(endpoint, ['/'], { headers: { cookie: fetchingCookie }, body: {} });
    },
  },
  noUpgrade('lobe'),
]);

/**
 * Checks that LobeChat rejects a wrong code and accepts the right one: without its settings it rejects
 * both. The provider has no key, so neither request leaves the container.
 */
async function expectCode(target: SmokeTarget): Promise<void> {
  const rejected = 'InvalidAccessCode';
  const wrong = errorOf(await ask(target, 'landfall', 'landfall-smoke-wrong-code'));
  if (wrong !== rejected)
    throw new Error(
      inLanguage({
        en: `a wrong code gives ${wrong}, not ${rejected}`,
        zh: `错误的访问码得到 ${wrong}，应为 ${rejected}`,
      }),
    );
  if (!target.inside) return;
  const right = errorOf(await ask(target, 'landfall', target.inside.secrets.LOBE_ACCESS_CODE));
  if (right === rejected)
    throw new Error(
      inLanguage({ en: 'the code of this server is rejected', zh: '这台服务器的访问码被拒绝' }),
    );
}

async function ask(target: SmokeTarget, provider: string, accessCode = ''): Promise<Answer> {
  return await callEndpoint(endpointOf(target, 'lobe'), `/webapi/chat/${provider}`, {
    headers: { [lobeAuthHeader]: lobeAuth({ accessCode }) },
    body: question,
  });
}

function errorOf({ status, text }: Answer): string {
  return String(readJson(errorSchema, text)?.errorType ?? `status ${status}`);
}

/** The payload that LobeChat's page sends with every request. */
interface LobeVisitor {
  /** One of the codes in `ACCESS_CODE`. */
  readonly accessCode: string;
}

/** The header of the payload. */
export const lobeAuthHeader = 'x-lobe-chat-auth';

/** A public constant of LobeChat (1.143.3, const/auth.ts). Not a secret. */
const key = Buffer.from('LobeHub · LobeHub');

/** Returns the value of the header: JSON, combined with the key by XOR, in Base64. */
export function lobeAuth(visitor: LobeVisitor): string {
  const bytes = Buffer.from(JSON.stringify(visitor));
  const combined = bytes.map((byte, index) => byte ^ (key[index % key.length] ?? 0));
  return Buffer.from(combined).toString('base64');
}
