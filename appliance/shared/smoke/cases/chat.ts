import { z } from 'zod';
import { inLanguage } from '#contract/text/language.ts';
import { callEndpoint, type Endpoint, endpointOf } from '../endpoint.ts';
import { expectStatus, jsonOf } from '../exchange.ts';
import { testsOf } from '../smoke-test.ts';
import { atGateway, expectBlocked, noUpgrade } from './no-upgrade.ts';

/** NextChat's public configuration: the fields that the project relies on. */
const configSchema = z.object({ needCode: z.literal(true), hideUserApiKey: z.literal(true) });

/** Routes that make NextChat fetch from, or send data to, third parties without a code. */
export const leakingPaths = [
  '/api/anything/at/all',
  '/api/proxy/landfall',
  '/api/webdav/landfall',
  '/google-fonts/landfall',
  '/sharegpt',
  // Next.js matches paths case-insensitively.
  '/API/proxy/landfall',
  '/Google-Fonts/landfall',
  '/ShareGPT',
];

/** NextChat fetches the URL in `x-base-url` with its own key (v2.16.1, app/api/proxy.ts). */
export const leakingCall = {
  headers: { 'x-base-url': 'https://landfall.invalid/api.openai.com' },
};

export const chatTests = testsOf('chat', [
  {
    name: 'chat-code',
    title: 'the front-end for one provider requires its access code',
    chinese: '单个模型服务商的前端要求访问码',
    isUnsafe: true,
    // Without a code, NextChat reports that it needs one and sends no request to a provider.
    run: async (target) => {
      const endpoint = endpointOf(target, 'chat');
      configSchema.parse(jsonOf(await callEndpoint(endpoint, '/api/config')));
      expectStatus(await callEndpoint(endpoint, '/api/openai/v1/models'), 401);
    },
  },
  {
    name: 'chat-leaks-cut',
    title: 'the gateway blocks routes of the front-end that leak data',
    chinese: '网关屏蔽该前端会泄露数据的路径',
    ...atGateway('chat'),
    run: (target) => expectBlocked(endpointOf(target, 'chat'), leakingPaths, leakingCall),
  },
  {
    name: 'chat-third-parties',
    title: 'the page of the front-end loads nothing from third parties',
    chinese: '该前端的页面不加载任何第三方内容',
    ...atGateway('chat'),
    run: (target) => expectOwnSourcesOnly(endpointOf(target, 'chat')),
  },
  noUpgrade('chat'),
]);

/** NextChat always loads Google Analytics, so the gateway must block it with a policy. */
export async function expectOwnSourcesOnly(endpoint: Endpoint): Promise<void> {
  const policy = (await callEndpoint(endpoint, '/')).header('content-security-policy') ?? '';
  for (const directive of ['default-src', 'connect-src']) {
    const sources = policy
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .find(([name]) => name === directive);
    if (!sources?.includes("'self'") || sources.some((source) => /[.*]|^https?:/.test(source))) {
      throw new Error(
        inLanguage({
          en: `the content security policy allows other sources: ${policy || 'no policy is set'}`,
          zh: `内容安全策略允许其他来源：${policy || '没有设置策略'}`,
        }),
      );
    }
  }
}
