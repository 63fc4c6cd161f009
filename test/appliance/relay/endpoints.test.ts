import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTarget } from '../../../appliance/relay/endpoints.ts';
import { isRefusal } from '../../../appliance/relay/refusal.ts';

describe('a path', () => {
  it.each([
    ['GET', '/v1/models', undefined, '/models'],
    ['GET', '/v1/models/qwen3:8b', undefined, '/models/qwen3:8b'],
    ['GET', '/v1/models/meta-llama/Llama-3.3-70B', undefined, '/models/meta-llama/Llama-3.3-70B'],
    ['POST', '/v1/chat/completions', undefined, '/chat/completions'],
    ['POST', '/openai/v1/chat/completions', 'openai', '/chat/completions'],
    ['POST', '/second-provider/v1/embeddings', 'second-provider', '/embeddings'],
    ['POST', '/v1/v1/responses', 'v1', '/responses'],
  ])('selects an endpoint: %s %s', (method, path, provider, endpoint) => {
    expect(findTarget(method, path)).toEqual({ provider, endpoint });
  });

  it('selects a model of the hub', () => {
    const hub = { provider: 'hub', isHub: true };
    expect(findTarget('POST', '/hub/models/gpt2')).toEqual({ ...hub, endpoint: '/models/gpt2' });
    expect(findTarget('POST', '/hub/models/org/name-1.5')).toEqual({
      ...hub,
      endpoint: '/models/org/name-1.5',
    });
  });

  it('selects a model of the hub with POST only', () => {
    expect(findTarget('GET', '/hub/models/gpt2')).toEqual({
      refused: 'relay_method_not_allowed',
      headers: { allow: 'POST' },
    });
  });

  it.each([
    ...['/hub', '/hub/models', '/hub/models/', '/hub/models/a/b/c', '/hub/models/..'],
    ...['/hub/models/a/..', '/hub/models/%2e%2e', '/hub/models/.hidden', '/hub/api/whoami-v2'],
    ...['/hub//models/a', '/hub/models/a/', '/other/models/a', '/HUB/models/a'],
  ])('selects nothing else of the hub: %s', (path) => {
    expect(findTarget('POST', path)).toEqual({ refused: 'relay_path_unknown' });
  });

  it('never selects anything else', () => {
    const piece = fc.oneof(
      fc.constantFrom('v1', 'models', 'chat', 'completions', 'files', '..', '.', '', '%2e', 'a'),
      fc.string({ maxLength: 5 }),
    );
    const start = fc.constantFrom('', 'v1/models', 'openai/v1/models', 'v1/chat/completions');
    const method = fc.constantFrom('GET', 'POST');
    let passed = 0;
    fc.assert(
      fc.property(start, fc.array(piece, { maxLength: 8 }), method, (first, parts, method) => {
        const target = findTarget(method, `/${[first, ...parts].join('/')}`);
        if (isRefusal(target)) return;
        passed += 1;
        const url = new URL(`https://provider.example/v1${target.endpoint}`);
        expect(url.pathname).toMatch(/^\/v1\/(models|chat\/completions|completions)/);
        expect(url.search + url.hash).toBe('');
      }),
      { numRuns: 2000 },
    );
    expect(passed).toBeGreaterThan(0);
  });

  it.each(['/v1/models/..', '/v1/models/../files', '/v1/models/./x', '/v1/models/a/../../files'])(
    'with dot segments is rejected: %s',
    (path) => {
      expect(findTarget('GET', path)).toEqual({ refused: 'relay_path_unknown' });
    },
  );
});
