import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDestination } from '../../../appliance/relay/destination.ts';
import type { Format } from '../../../appliance/relay/formats/format.ts';
import { hub, openai } from '../../../appliance/relay/formats/openai.ts';
import type { Provider } from '../../../appliance/relay/provider.ts';
import { fuzzRuns } from '../../simulator/fuzz.ts';

const provider = (name: string, format: Format): Provider => ({
  ...{ name, format, baseUrl: `https://${name}.example/v1`, key: 'k', keyless: false },
});
const env = {
  providers: new Map(
    ['openai', 'second-provider', 'v1'].map((name) => [name, provider(name, openai)]),
  ),
  hub: provider('hub', hub),
};

/** Returns the candidates for a key that may use all providers: name and path after the root. */
function find(method: string, path: string) {
  const destination = findDestination(method, path, { providers: undefined }, env);
  if (!('candidates' in destination)) return destination;
  return destination.candidates.map(({ provider: { name }, rest }) => [name, rest]);
}

const all = (rest: string) => [...env.providers.keys()].map((name) => [name, rest]);

describe('a path', () => {
  it.each([
    ['GET', '/v1/models/qwen3:8b', '/models/qwen3:8b'],
    ['GET', '/v1/models/meta-llama/Llama-3.3-70B', '/models/meta-llama/Llama-3.3-70B'],
    ['POST', '/v1/chat/completions', '/chat/completions'],
    ['GET', '/v1/models/org%2Fmodel', '/models/org%2Fmodel'],
    ['POST', '/v1/responses/compact', '/responses/compact'],
    ['POST', '/v1/responses/input_tokens', '/responses/input_tokens'],
  ])('without a provider selects an endpoint of all: %s %s', (method, path, rest) => {
    expect(find(method, path)).toEqual(all(rest));
  });

  it.each([
    ['POST', '/openai/v1/chat/completions', 'openai', '/chat/completions'],
    ['POST', '/second-provider/v1/embeddings', 'second-provider', '/embeddings'],
    ['GET', '/openai/v1/models', 'openai', '/models'],
    ['GET', '/openai/v1/models/org%2fmodel%3A8b%40q4', 'openai', '/models/org%2fmodel%3A8b%40q4'],
    ['GET', '/openai/v1/models/@cf/meta/llama-3', 'openai', '/models/@cf/meta/llama-3'],
    ['POST', '/v1/v1/responses', 'v1', '/responses'],
    ['POST', '/hub/models/gpt2', 'hub', '/models/gpt2'],
    ['POST', '/hub/models/org/name-1.5', 'hub', '/models/org/name-1.5'],
  ])('with a provider selects its endpoint: %s %s', (method, path, name, rest) => {
    expect(find(method, path)).toEqual([[name, rest]]);
  });

  it('selects all providers for the list of models', () => {
    expect(find('GET', '/v1/models')).toEqual({ listed: [...env.providers.values()] });
  });

  it('selects a model of the hub with POST only', () => {
    expect(find('GET', '/hub/models/gpt2')).toEqual({
      refused: 'relay_method_not_allowed',
      headers: { allow: 'POST' },
    });
  });

  it.each([
    ...['/hub', '/hub/models', '/hub/models/', '/hub/models/a/b/c', '/hub/models/..'],
    ...['/hub/models/a/..', '/hub/models/%2e%2e', '/hub/models/.hidden', '/hub/api/whoami-v2'],
    ...['/hub//models/a', '/hub/models/a/', '/other/models/a', '/HUB/models/a'],
  ])('selects nothing else of the hub: %s', (path) => {
    expect(find('POST', path)).toEqual({ refused: 'relay_path_unknown' });
  });

  it('never selects anything else', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'v1',
        'models',
        'chat',
        'completions',
        'files',
        '..',
        '.',
        '',
        '%2e',
        '%2F',
        'a',
      ),
      fc.string({ maxLength: 5 }),
    );
    const start = fc.constantFrom('', 'v1/models', 'openai/v1/models', 'v1/chat/completions');
    const method = fc.constantFrom('GET', 'POST');
    let passed = 0;
    fc.assert(
      fc.property(start, fc.array(piece, { maxLength: 8 }), method, (first, parts, method) => {
        const found = find(method, `/${[first, ...parts].join('/')}`);
        if (!Array.isArray(found)) return;
        passed += 1;
        const url = new URL(`https://provider.example/v1${found[0]?.[1]}`);
        // Also for a provider that decodes the path before it resolves dot segments.
        expect(new URL(decodeURIComponent(url.pathname), url).pathname).toBe(
          decodeURIComponent(url.pathname),
        );
        expect(url.pathname).toMatch(/^\/v1\/(models|chat\/completions|completions)/);
        expect(url.search + url.hash).toBe('');
      }),
      { numRuns: fuzzRuns(2000) },
    );
    expect(passed).toBeGreaterThan(0);
  });

  it.each([
    ...[
      '/v1/models/org%2F..',
      '/v1/models/..%2F..%2Ffiles',
      '/v1/models/a%2F.%2Fb',
      '/v1/models/%2Fa',
    ],
    ...[
      '/v1/models/a%252Fb',
      '/v1/models/a%2F%2Fb',
      '/v1/models/a%2F',
      '/v1/models/%2e%2e%2Ffiles',
    ],
    ...[
      '/v1/models/a%5Cb',
      '/v1/models/a%3Fb',
      '/v1/models/a%23b',
      '/v1/models/a%00',
      '/v1/models/a%',
    ],
    ...['/v1/models%2Fa', '/v1%2Fmodels/a', '/openai%2Fv1/models', '/v1/chat%2Fcompletions'],
    ...['/v1/models/a%2Fb%2Fc%2Fd%2Fe', '/v1/responses/resp_1', '/v1/responses/compact/x'],
  ])('rejects other escapes and endpoints: %s', (path) => {
    for (const method of ['GET', 'POST'])
      expect(find(method, path)).toEqual({ refused: 'relay_path_unknown' });
  });

  it.each(['/v1/models/..', '/v1/models/../files', '/v1/models/./x', '/v1/models/a/../../files'])(
    'with dot segments is rejected: %s',
    (path) => {
      expect(find('GET', path)).toEqual({ refused: 'relay_path_unknown' });
    },
  );
});
