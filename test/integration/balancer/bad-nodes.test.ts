import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { needs } from '../needs.ts';
import { BalancerRig, firstServer } from './balancer-rig.ts';
import { digestOf, EngineNode } from './engine-node.ts';

const { describe, haproxy } = needs('haproxy');

let rig: BalancerRig;
beforeEach(() => {
  rig = new BalancerRig(haproxy);
});
afterEach(() => rig.remove());

const json = { 'content-type': 'application/json' };

describe('a node with TLS', () => {
  const authority = new CertificateAuthority('of the site');
  const ca = authority.cert;

  it('uses a node with a certificate of its authority', async () => {
    const node = await rig.add('a', new EngineNode({ tls: authority.issue() }), { ca });
    await rig.start();
    expect((await rig.generate()).status).toBe(200);
    expect((await rig.reach('a', 'up')).state).toBe('up');
    expect(node.count).toBe(1);
  });

  it('shows an engine node the certificate that it asks for, and no other', async () => {
    const other = new CertificateAuthority('of another server');
    const strict = new EngineNode({ tls: { ...authority.issue(), ca: firstServer.cert } });
    const foreign = new EngineNode({ tls: { ...authority.issue(), ca: other.cert } });
    await rig.add('strict', strict, { ca });
    await rig.add('foreign', foreign, { ca });
    await rig.start();
    expect((await rig.reach('foreign', 'down')).state).toBe('down');
    expect((await rig.generate()).status).toBe(200);
    expect((await rig.reach('strict', 'up')).state).toBe('up');
    expect([strict.count, foreign.count]).toEqual([1, 0]);
  });

  it.each([
    ['of another authority', () => new CertificateAuthority('other').issue()],
    ['that has expired', () => authority.issue({ since: -9, days: -1 })],
  ])('sends no prompt to a node with a certificate %s', async (_what, issue) => {
    const bad = await rig.add('bad', new EngineNode({ tls: issue() }), { ca });
    const good = await rig.add('good', new EngineNode({ tls: authority.issue() }), { ca });
    await rig.start();
    const answers = await Promise.all([rig.generate(), rig.generate(), rig.generate()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await rig.reach('bad', 'down')).reason).toMatch(/SSL/);
    expect([bad.count, good.count]).toEqual([0, 3]);
  });

  it('takes a node out once its certificate has changed', async () => {
    const node = await rig.add('a', new EngineNode({ tls: authority.issue() }), { ca });
    await rig.start();
    await rig.reach('a', 'up');
    await node.kill();
    const other = new EngineNode({ tls: new CertificateAuthority('other').issue() });
    other.port = node.port;
    rig.nodes.set('other', await other.start());
    expect((await rig.reach('a', 'down')).state).toBe('down');
    expect((await rig.generate()).status).toBe(503);
    expect(other.count).toBe(0);
  });

  it('takes a node out that speaks plain HTTP on its port', async () => {
    const plain = new EngineNode();
    await plain.start();
    rig.nodes.set('plain', plain);
    await rig.add('a', new EngineNode({ tls: authority.issue() }), {
      ...{ ca, url: plain.url.replace('http:', 'https:') },
    });
    await rig.start();
    await rig.reach('a', 'down');
    expect(plain.count).toBe(0);
  });
});

describe('a node that answers in a wrong way', () => {
  it.each([
    ['redirects', (response) => response.writeHead(302, { location: 'http://example.com/' }).end()],
    ['sends HTML', (response) => response.writeHead(200).end('<html>"models":</html>')],
    ['fails', (response) => response.writeHead(500, json).end('{"models":[]}')],
    ['lacks its model', (response) => response.end('{"models":[{"name":"qwen3:4b"}]}')],
  ] as ReadonlyArray<[string, (response: ServerResponse) => unknown]>)(
    'takes a node out that %s in a check',
    async (_what, answer) => {
      const node = new EngineNode({ tags: (_request, response) => answer(response) });
      await rig.add('a', node, { models: ['big:70b'] });
      await rig.start();
      expect((await rig.reach('a', 'down')).reason).toMatch(/^Layer7|^big:70b is missing$/);
      const { status, text } = await rig.generate();
      expect(status).toBe(503);
      expect(JSON.parse(text ?? '').error).toContain('all inference servers are busy or down');
      expect(node.count).toBe(0);
    },
  );

  it('takes a node out whose model has another digest than in the release', async () => {
    const release = { 'qwen3:8b': `sha256:${digestOf('qwen3:8b')}` };
    const listed = (digest: string) => ({ name: 'qwen3:8b', size: 1, digest, details: {} });
    const other = new EngineNode({
      tags: (_request, response) => {
        const models = [{ ...listed(digestOf('x')), name: 'x' }, listed(digestOf('old'))];
        const text = JSON.stringify({ models });
        // The last digest is in the second part of the response.
        response.write(text.slice(0, 60));
        setTimeout(() => response.end(text.slice(60)), 50);
      },
    });
    await rig.add('other', other);
    const same = await rig.add('same', new EngineNode({ models: ['own:1b', 'qwen3:8b'] }));
    await rig.start({ digests: release });
    expect((await rig.reach('other', 'down')).reason).toBe(
      'qwen3:8b has another digest than in the release',
    );
    expect((await rig.reach('same', 'up')).state).toBe('up');
    expect([(await rig.generate()).status, same.count]).toEqual([200, 1]);
  });

  it('keeps a node that answers 500 to the request of one user', async () => {
    const answer = (_request: unknown, response: ServerResponse) =>
      response.writeHead(500, json).end('{"error":"bad request"}');
    const node = await rig.add('a', new EngineNode({ answer }));
    await rig.start();
    const answers = [await rig.generate(), await rig.generate(), await rig.generate()];
    expect(answers).toEqual(Array(3).fill({ status: 500, text: '{"error":"bad request"}' }));
    expect(node.count).toBe(3);
    expect((await rig.states()).map(({ state, failed }) => [state, failed])).toEqual([['up', 3]]);
  });

  it.each([503, 404])(
    'passes a request on to a free node if it answers %i at once',
    async (status) => {
      const answer = (_request: unknown, response: ServerResponse) =>
        response.writeHead(status, json).end('{"error":"busy"}');
      await rig.add('a', new EngineNode({ answer }));
      const good = await rig.add('b');
      await rig.start();
      // HAProxy keeps 256 kB of a request, which it can send again.
      for (const [index, size] of [0, 1_000, 100_000, 250_000].entries()) {
        expect((await rig.generate({ text: 'x'.repeat(size) })).status).toBe(200);
        expect(good.count).toBe(index + 1);
      }
    },
  );

  it('sends a request again whose node closes the connection, if the client keeps its own', async () => {
    const dying: EngineNode = new EngineNode({
      answer: (_request, response, index) =>
        index === 1 ? response.destroy() : response.end('{"done":true}\n'),
    });
    await rig.add('a', dying);
    const good = await rig.add('b');
    await rig.start();
    for (let count = 0; count < 4; count += 1) {
      expect((await rig.generate()).text).toContain('"done":true');
    }
    // One request was sent twice.
    expect(dying.count + good.count).toBe(5);
  });

  it('ends a stream that has been silent, and frees its slot', async () => {
    const silent = new EngineNode({
      answer: (_request, response, index) => {
        response.write('{"response":');
        if (index > 0) response.end('"word"}\n');
      },
    });
    await rig.add('a', silent);
    await rig.start({ replace: { 'timeout server 600s': 'timeout server 400ms' } });
    expect(await rig.generate()).toEqual({ status: 200, text: undefined });
    expect((await rig.generate()).text).toBe('{"response":"word"}\n');
    expect(silent.peak).toBe(1);
  });
});

describe('an extreme request', () => {
  it('answers a request with a chat id of 10 kB', async () => {
    const node = await rig.add('a');
    await rig.start();
    const headers = { 'x-openwebui-chat-id': 'x'.repeat(10_000) };
    expect((await rig.generate({}, headers)).status).toBe(200);
    expect(Object.keys(node.headers[0] ?? {})).not.toContain('x-openwebui-chat-id');
  });

  it('reaches the node of its model with 300 kB, and the first group if the model is last', async () => {
    const home = await rig.add('home');
    const big = await rig.add('big', new EngineNode({ models: ['big:70b'] }), {
      models: ['big:70b'],
    });
    await rig.start();
    const text = 'x'.repeat(300_000);
    expect((await rig.generate({ model: 'big:70b', text })).status).toBe(200);
    const last = JSON.stringify({ text, model: 'big:70b' });
    expect((await rig.send('POST', '/api/chat', last)).status).toBe(200);
    expect([home.count, big.count]).toEqual([1, 1]);
  });

  it('passes a body of 100 MB with the model last', async () => {
    const node = await rig.add('a');
    await rig.start();
    const part = Buffer.alloc(1 << 20, 'x');
    const [start, end] = ['{"text":"', '","model":"qwen3:8b"}'];
    const bytes = 100 * part.length + start.length + end.length;
    const sent = request({
      ...{ host: '127.0.0.1', port: rig.ports[0], method: 'POST', path: '/api/chat' },
      ...{ agent: false, headers: { 'content-length': bytes } },
    });
    sent.write(start);
    for (let count = 0; count < 100; count += 1) {
      if (!sent.write(part)) await once(sent, 'drain');
    }
    sent.end(end);
    const [response] = await once(sent, 'response');
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(node.bytes).toBe(bytes);
  });
});
