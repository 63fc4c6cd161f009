import { describe, expect, it } from 'vitest';
import {
  expectOwnSourcesOnly,
  leakingCall,
  leakingPaths,
} from '../../../../appliance/shared/smoke/cases/chat.ts';
import { expectBlocked } from '../../../../appliance/shared/smoke/cases/no-upgrade.ts';
import { smokeTests } from '../../../../appliance/shared/smoke/smoke-tests.ts';
import { chatApp } from '../../../stand-ins/front-ends/chat.ts';
import { lobeApp } from '../../../stand-ins/front-ends/lobe.ts';
import { portOf } from './closing-servers.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';
import { outcomes, resultOf } from './outcomes.ts';

const both = { chat: true, lobe: true };
const frontEndTests = smokeTests.filter(({ name }) => /^(?:chat|lobe)-/.test(name));

async function frontEnds(env: NodeJS.ProcessEnv, site = {}, secrets = {}) {
  const ports = { chat: await portOf(chatApp(env)), lobe: await portOf(lobeApp(env)) };
  return insideTarget(
    { components: both, ports, ...site },
    { secrets: { LOBE_ACCESS_CODE: 'b', ...secrets } },
  );
}

describe('front-ends without host names, seen from the server', () => {
  it('pass with their codes, and tests of the gateway are skipped', async () => {
    const target = await frontEnds({ CODE: 'a', ACCESS_CODE: 'b', HIDE_USER_API_KEY: '1' });
    expect(await outcomes(target, frontEndTests)).toEqual({
      'chat-page': 'passed',
      'chat-code': 'passed',
      'chat-leaks-cut': 'skipped',
      'chat-third-parties': 'skipped',
      'chat-no-upgrade': 'skipped',
      'lobe-page': 'passed',
      'lobe-code': 'passed',
      'lobe-relay-key': 'skipped',
      'lobe-leaks-cut': 'skipped',
      'lobe-no-upgrade': 'skipped',
    });
  });

  it('fail without codes', async () => {
    const target = await frontEnds({
      HIDE_USER_API_KEY: '1',
      OPENAI_PROXY_URL: 'http://127.0.0.1:1/v1',
      OPENAI_API_KEY: 'x',
    });
    expect(await outcomes(target, frontEndTests)).toMatchObject({
      'chat-page': 'passed',
      'chat-code': 'failed',
      'lobe-page': 'passed',
      'lobe-code': 'failed',
    });
  });

  it('fail if a visitor can bypass the code with their own key', async () => {
    const target = await frontEnds({ CODE: 'a', ACCESS_CODE: 'b' });
    const { detail, lookAt } = await resultOf('chat-code', target, frontEndTests);
    expect(detail).toContain('hideUserApiKey');
    expect(lookAt).toContain('sudo docker stop landfall-chat');
  });

  // LobeChat returns 401 without a code even if none is set, so the status alone proves nothing.
  it('fail if LobeChat did not get the code of the server', async () => {
    const target = await frontEnds({ CODE: 'a', ACCESS_CODE: '' });
    expect(await resultOf('lobe-code', target, frontEndTests)).toMatchObject({
      outcome: 'failed',
      detail: 'a wrong code gives InvalidProviderAPIKey, not InvalidAccessCode',
    });
  });

  it('fail if LobeChat has the code of another server', async () => {
    const target = await frontEnds({ CODE: 'a', ACCESS_CODE: 'of-another' });
    expect(await resultOf('lobe-code', target, frontEndTests)).toMatchObject({
      outcome: 'failed',
      detail: 'the code of this server is rejected',
    });
  });

  it.each([
    ['its key', 'relay-key', 'passed'],
    ['no key', '', 'failed'],
    ['a wrong key', 'wrong', 'failed'],
  ])('check that LobeChat calls the relay with %s', async (_which, key, outcome) => {
    const relay = await portOf((request) =>
      request.headers.get('authorization') === 'Bearer relay-key'
        ? Response.json({ error: { code: 'model_not_found' } }, { status: 404 })
        : Response.json({ error: { code: 'relay_key_invalid' } }, { status: 401 }),
    );
    const target = await frontEnds(
      {
        ...{ CODE: 'a', ACCESS_CODE: 'b', OPENAI_API_KEY: key },
        OPENAI_PROXY_URL: `http://127.0.0.1:${relay}/openai/v1`,
      },
      { providers: { openai: { base_url: 'https://api.openai.com/v1' } } },
      { OPENAI_API_KEY: 'of-the-provider' },
    );
    expect(await resultOf('lobe-relay-key', target, frontEndTests)).toMatchObject({ outcome });
  });

  it('fail with a hint when nothing listens', async () => {
    const target = insideTarget({ components: both, ports: { lobe: 1 } });
    const result = await resultOf('lobe-page', target, frontEndTests);
    expect(result.outcome).toBe('failed');
    expect(result.lookAt).toBe('sudo docker logs --tail 50 landfall-lobe');
  });
});

describe('front-ends that cannot be tested', () => {
  it('skips front-ends that the site disables', async () => {
    const { outcome, detail } = await resultOf('chat-page', insideTarget(), frontEndTests);
    expect([outcome, detail]).toEqual(['skipped', 'the site has it turned off']);
  });

  it('skips front-ends without a host name from elsewhere', async () => {
    const target = outsideTarget({ components: both });
    const { outcome, detail } = await resultOf('lobe-page', target, frontEndTests);
    expect([outcome, detail]).toEqual([
      'skipped',
      'it has no host name: reachable on the server only',
    ]);
  });
});

describe('a page with a redirect', () => {
  const page = new Response('<!doctype html><html></html>');

  it('follows the redirect of a page within its origin', async () => {
    const port = await portOf(({ url }) =>
      new URL(url).pathname === '/chat'
        ? page.clone()
        : new Response(null, { status: 307, headers: { location: '/chat' } }),
    );
    const target = insideTarget({ components: both, ports: { lobe: port } });
    expect(await resultOf('lobe-page', target, frontEndTests)).toMatchObject({ outcome: 'passed' });
  });

  it.each(['https://elsewhere.invalid/', '/'])('fails with a redirect to %s', async (location) => {
    const port = await portOf(() => new Response(null, { status: 302, headers: { location } }));
    const target = insideTarget({ components: both, ports: { lobe: port } });
    expect(await resultOf('lobe-page', target, frontEndTests)).toMatchObject({
      outcome: 'failed',
      detail: 'status 302 instead of 200',
    });
  });
});

describe('a leak that the gateway must block', () => {
  const base = async (handler: Parameters<typeof portOf>[0]) => ({
    base: `http://127.0.0.1:${await portOf(handler)}`,
  });

  it('reports an open leak that the gateway must block, as in NextChat', async () => {
    const endpoint = await base(chatApp({ CODE: 'a' }));
    await expect(expectBlocked(endpoint, leakingPaths, leakingCall)).rejects.toThrow(
      /\/api\/anything.*\/api\/proxy.*\/api\/webdav.*\/google-fonts.*\/sharegpt/,
    );
  });

  it('passes when every path is blocked', async () => {
    const endpoint = await base(() => new Response('', { status: 403 }));
    await expect(expectBlocked(endpoint, leakingPaths, leakingCall)).resolves.toBeUndefined();
  });

  it.each([
    ['no policy', {}],
    ['a policy that allows everything', { 'content-security-policy': 'default-src *' }],
    [
      'a policy with a third party',
      {
        'content-security-policy':
          "default-src 'self' https://www.googletagmanager.com; connect-src 'self'",
      },
    ],
  ])('reports a leak with %s', async (_what, headers) => {
    const endpoint = await base(() => new Response('', { headers }));
    await expect(expectOwnSourcesOnly(endpoint)).rejects.toThrow('allows other sources');
  });
});
