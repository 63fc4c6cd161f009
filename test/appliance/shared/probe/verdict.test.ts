import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import type { Attempt } from '../../../../appliance/shared/probe/exchange/attempt.ts';
import { hasRoute, verdictOf } from '../../../../appliance/shared/probe/probe-provider.ts';
import { describeVerdict, probeTable } from '../../../../appliance/shared/probe/probe-table.ts';

const works: Attempt = { steps: [], addresses: [], status: 401 };
const fails: Attempt = {
  steps: [],
  addresses: [],
  failure: { step: 'tcp', code: 'NETWORK_TIMEOUT', reason: '' },
};

type State = 'clean' | 'polluted';

/** A provider with the requests that were sent. */
function provider(
  name: string,
  direct: Attempt,
  rest: { proxy?: Attempt; corrected?: Attempt } = {},
  state: State = 'clean',
) {
  return { name, url: new URL('https://a.test/'), direct, dns: { state, system: [] }, ...rest };
}

const [near, far] = [provider('deepseek', works), provider('openai', fails)];
const proxied = provider('openai', fails, { proxy: works });
const refused = provider('openai', fails, { proxy: fails });
const polluted = provider('openai', fails, { corrected: works }, 'polluted');
const both = provider('openai', fails, { corrected: works, proxy: works }, 'polluted');

describe('the verdict', () => {
  it.each([
    ['all work directly', [near], 'direct', true, /^direct access works; no proxy is needed$/],
    ['one needs the proxy', [near, proxied], 'proxy', true, /^the proxy works; use it for openai$/],
    ['one has no route', [near, far], 'relay', false, /for openai: use a proxy or a relay$/],
    [
      'the proxy fails too',
      [refused],
      'relay',
      false,
      /check the settings and the port of the proxy, or use a relay$/,
    ],
    [
      'DNS is polluted',
      [near, polluted],
      'dns',
      false,
      /DNS is polluted for openai: use a public DNS server/,
    ],
    ['the proxy cures DNS', [both], 'proxy', true, /^the proxy works.*proxy_dns in proxychains/],
    [
      'one has polluted DNS, and one has no route',
      [polluted, far],
      'relay',
      false,
      /use a proxy or a relay\. DNS is polluted/,
    ],
  ] as const)('if %s', (_what, reports, kind, ok, text) => {
    const verdict = verdictOf(reports);
    expect(verdict.kind).toBe(kind);
    expect(hasRoute(verdict)).toBe(ok);
    expect(describeVerdict(verdict)).toMatch(text);
    expect(describeVerdict(verdict)).not.toContain('\n');
  });

  it('names the providers that need the route', () => {
    expect(verdictOf([near, proxied])).toEqual({
      kind: 'proxy',
      providers: ['openai'],
      polluted: [],
      triedProxy: true,
    });
  });
});

describe('the table of a probe in Chinese', () => {
  afterEach(() => setLanguage('en'));

  it('translates the heads, the routes, the causes and the verdict', () => {
    setLanguage('zh');
    const text = probeTable({
      providers: [polluted, refused],
      egress: { direct: { failure: { step: 'tcp', code: 'NETWORK_TIMEOUT', reason: 'x' } } },
      verdict: verdictOf([polluted, refused]),
    });
    expect(text).toMatch(/^模型服务商 +线路 +DNS +连接 +TLS +响应 +结果$/m);
    expect(text).toMatch(/直连 .*失败：连接超时/);
    expect(text).toMatch(/正确的地址 +可访问（状态 401）/);
    expect(text).toMatch(/出口地址（直连） +未知：连接超时：x/);
    expect(text).toMatch(/结论 +没有线路能访问 openai.*的 DNS 被污染/);
  });
});
