import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { engines } from '#contract/site/engines/engines.ts';
import { describeTest } from '../../../../appliance/nodes/balancer/describe.ts';
import { testNode } from '../../../../appliance/nodes/balancer/test-node.ts';
import type { Pair } from '../../../../appliance/server/certificates/pair.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { EngineNode } from '../../../integration/balancer/engine-node.ts';

let running: EngineNode | undefined;
afterEach(() => running?.kill());

const speed = JSON.stringify({ eval_count: 32, eval_duration: 4e9 });
const authority = new CertificateAuthority('of the site');
const known = { name: 'qwen3:8b', size: 1, digest: digestOf('qwen3:8b') };

function digestOf(text: string): `sha256:${string}` {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Starts a node and tests it with these models. */
async function tested(
  settings: ConstructorParameters<typeof EngineNode>[0],
  fields: object = {},
  models = ['qwen3:8b'],
  others = [known],
  client?: Pair,
) {
  running = await new EngineNode({
    answer: (_, response) => response.end(speed),
    ...settings,
  }).start();
  const [node] =
    engines.parse({ nodes: [{ name: 'gpu1', url: running.url, ...fields }] })?.nodes ?? [];
  if (!node) throw new Error('no node');
  return await testNode(node, { ca: undefined, client }, models, others);
}

describe('the test of a node', () => {
  it('reports its version and the speed of one generation', async () => {
    const found = await tested({ tls: authority.issue() }, { ca: authority.cert });
    expect(found).toEqual({
      ...{ name: 'gpu1', version: '0.35.1', model: 'qwen3:8b', speed: 8, problems: [] },
    });
    expect(describeTest(found)).toBe('gpu1: Ollama 0.35.1; qwen3:8b generates 8 tokens per second');
    // Ollama behind a reverse proxy rejects the name of the node.
    expect(running?.headers[0]?.host).toBe('localhost');
  });

  it('sends the client certificate that an engine node asks for', async () => {
    const first = new CertificateAuthority('of the first server');
    const { cert, key } = first.issue({ usage: 'clientAuth' });
    const tls = { ...authority.issue(), ca: first.cert };
    const fields = { ca: authority.cert };
    const found = await tested({ tls }, fields, ['qwen3:8b'], [known], { chain: cert, key });
    expect(found.problems).toEqual([]);
    await running?.kill();
    expect((await tested({ tls }, fields)).problems).toHaveLength(1);
  });

  it('finds a missing model, and one with another digest', async () => {
    const models = ['big:70b', 'qwen3:8b'];
    const other = { ...known, digest: digestOf('another') };
    const { problems } = await tested({}, { plain: 'i-understand' }, models, [other]);
    expect(problems).toEqual([
      'the model big:70b is missing',
      'the model qwen3:8b has another digest than on this server',
    ]);
  });

  it.each([
    [
      'another authority',
      new CertificateAuthority('other').issue(),
      /self.signed|unable to verify|issuer/i,
    ],
    ['an expired certificate', authority.issue({ since: -9, days: -1 }), /expired/],
  ])('finds %s', async (_what, tls, reason) => {
    const { problems } = await tested({ tls }, { ca: authority.cert });
    expect(problems).toEqual([expect.stringMatching(reason)]);
    expect(running?.count).toBe(0);
  });

  it('finds a node that sends no answer of Ollama', async () => {
    const { problems } = await tested({ answer: (_, response) => response.end('<html>') });
    expect(problems).toEqual(['its response is not one of Ollama']);
    running?.kill();
    const failing = await tested({ tags: (_, response) => response.writeHead(500).end() });
    expect(failing.problems).toEqual(['/api/tags returned the status 500']);
  });
});
