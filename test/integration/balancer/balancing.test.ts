import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resume } from '../../../appliance/nodes/balancer/socket.ts';
import { parseStates } from '../../../appliance/nodes/balancer/states.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { needs } from '../needs.ts';
import { BalancerRig } from './balancer-rig.ts';
import { EngineNode } from './engine-node.ts';

const { describe, haproxy } = needs('haproxy');

describe('HAProxy in front of several servers with Ollama', () => {
  let rig: BalancerRig;
  beforeEach(() => {
    rig = new BalancerRig(haproxy);
  });
  afterEach(() => rig.remove());

  const many = (count: number, send: (index: number) => ReturnType<BalancerRig['generate']>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  const counts = () => [...rig.nodes.values()].map(({ count }) => count);
  const isWhole = ({ status, text }: { status: number; text: string | undefined }) =>
    status === 200 && text?.endsWith('{"done":true}\n');

  it('shares 30 requests equally among three nodes, one at a time on each', async () => {
    const nodes = [await rig.add('a'), await rig.add('b'), await rig.add('c')];
    await rig.start();
    const began = performance.now();
    const answers = await many(30, () => rig.generate());
    const seconds = (performance.now() - began) / 1000;
    expect(answers.filter(isWhole)).toHaveLength(30);
    // Exactly ten each, unless this machine is too busy for a fixed pace.
    expect(Math.min(...counts())).toBeGreaterThanOrEqual(8);
    expect(counts().reduce((total, count) => total + count)).toBe(30);
    expect(nodes.map(({ peak }) => peak)).toEqual([1, 1, 1]);
    const status = await readFile(`/proc/${rig.pid}/status`, 'utf8');
    const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    console.log(`30 requests of 60 ms: ${seconds.toFixed(2)} s, ${memory.toFixed(0)} MB`);
    expect(memory).toBeLessThan(64);
  });

  it('gives a node as many requests at once as it has slots', async () => {
    const [a, b] = [await rig.add('a', new EngineNode(), { slots: 3 }), await rig.add('b')];
    await rig.start();
    await many(24, () => rig.generate());
    expect([a.peak, b.peak]).toEqual([3, 1]);
    expect(a.count).toBeGreaterThan(b.count);
  });

  it('loses only the stream of a node that dies, and uses it again when it is back', async () => {
    const dying: EngineNode = new EngineNode({
      answer: async (_request, response, index) => {
        // Without a byte of the response, another node gets the request.
        await new Promise<void>((sent) => {
          response.write('{"response":"word"}\n', () => sent());
        });
        if (index === 1) return await dying.kill();
        response.end('{"done":true}\n');
      },
    });
    await rig.add('a', dying);
    await rig.add('b');
    await rig.add('c');
    await rig.start();
    const answers = await many(60, () => rig.generate());
    expect(answers.filter((answer) => !isWhole(answer))).toHaveLength(1);
    await rig.reach('a', 'down');
    await dying.start();
    await rig.reach('a', 'up');
    await many(9, () => rig.generate());
    expect(dying.count).toBeGreaterThan(2);
  });

  it('keeps each chat on its node', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => rig.add(name)));
    await rig.start();
    await many(9, async (index) => {
      const headers = { 'x-openwebui-chat-id': `chat-${index}` };
      for (let turn = 0; turn < 2; turn += 1) await rig.generate({ chat: index }, headers);
      return await rig.generate({ chat: index }, headers);
    });
    const chats = [...rig.nodes.values()].map((node) => new Set(node.chats));
    expect(chats.reduce((total, { size }) => total + size, 0)).toBe(9);
    for (const own of chats) expect(own.size).toBeGreaterThan(0);
    expect(counts().reduce((total, count) => total + count)).toBe(27);
  });

  it('removes the headers about the user, in any spelling', async () => {
    const node = await rig.add('a');
    await rig.start();
    await rig.generate(
      {},
      {
        ...{ 'X-OpenWebUI-User-Name': 'Anna', 'x-openwebui-user-email': 'a@example.com' },
        ...{ 'X-OPENWEBUI-Chat-Id': 'one', 'X-Request-Id': 'kept' },
      },
    );
    const [headers = {}] = node.headers;
    expect(Object.keys(headers).filter((name) => name.includes('openwebui'))).toEqual([]);
    expect(headers['x-request-id']).toBe('kept');
    // Ollama on a loopback address answers 403 to the name of the balancer.
    expect(headers.host).toBe('localhost');
  });

  it('does not let embeddings and lists wait behind chats', async () => {
    let finish = () => {};
    const node = new EngineNode({
      answer: (request, response) => {
        if (request.url !== '/api/chat') response.end('{}');
        else finish = () => response.end('{"done":true}\n');
      },
    });
    await rig.add('a', node);
    await rig.start();
    const chat = rig.generate();
    await expect.poll(() => node.active).toBe(1);
    expect((await rig.generate({}, {}, '/api/embed')).status).toBe(200);
    expect((await rig.send('GET', '/api/tags')).text).toContain('qwen3:8b');
    expect((await rig.send('GET', '/api/version')).status).toBe(200);
    finish();
    expect(isWhole(await chat)).toBe(true);
  });

  it('drains a node without a lost stream, and moves its chats', async () => {
    let finish = () => {};
    const a = new EngineNode({
      answer: (_request, response) => {
        response.write('{"response":"word"}\n');
        finish = () => response.end('{"done":true}\n');
      },
    });
    await rig.add('a', a);
    await rig.add('b', new EngineNode(), { backup: true });
    await rig.start();
    const headers = { 'x-openwebui-chat-id': 'one' };
    const stream = rig.generate({ chat: 1 }, headers);
    await expect.poll(() => a.active).toBe(1);
    await rig.ask('set server generate-1/a state drain');
    const drained = await rig.reach('a', 'draining');
    expect(drained.inFlight).toBe(1);
    await rig.ask(`clear table generate-1 data.server_id eq ${drained.id}`);
    expect(isWhole(await rig.generate({ chat: 1 }, headers))).toBe(true);
    finish();
    expect(isWhole(await stream)).toBe(true);
    await rig.ask('set server generate-1/a state ready');
    await rig.reach('a', 'up');
    expect([...rig.nodes.values()].map(({ chats }) => chats)).toEqual([[1], [1]]);
  });

  it('gives a resumed node the requests that wait', async () => {
    const held = () =>
      new EngineNode({ answer: (_request, response) => response.write('{"response":"word"}\n') });
    const a = await rig.add('a', held());
    await rig.add('b', held());
    await rig.start();
    await rig.ask('set server generate-1/a state drain');
    await rig.reach('a', 'draining');
    const all = many(2, () => rig.generate());
    await expect.poll(async () => parseStates(await rig.ask('show stat')).waiting).toBe(1);
    await resume(hostWith(rig), 'a');
    await expect.poll(() => a.active).toBe(1);
    for (const node of rig.nodes.values()) await node.kill();
    await all;
  });

  it('forgets a request whose client has gone, in the queue and on its node', async () => {
    const node = new EngineNode({
      answer: (request, response) => {
        if (request.headers.last !== undefined) response.end('{"done":true}\n');
      },
    });
    await rig.add('a', node);
    await rig.start();
    const body = JSON.stringify({ model: 'qwen3:8b' });
    const open = () =>
      request({
        ...{ host: '127.0.0.1', port: rig.ports[0], method: 'POST', path: '/api/chat' },
        ...{ agent: false, headers: { 'content-length': body.length } },
      })
        .on('error', () => {})
        .end(body);
    const working = open();
    await expect.poll(() => node.active).toBe(1);
    const queued = open();
    const waiting = async () => parseStates(await rig.ask('show stat')).waiting;
    await expect.poll(waiting).toBe(1);
    queued.destroy();
    await expect.poll(waiting).toBe(0);
    working.destroy();
    await expect.poll(() => node.active).toBe(0);
    expect(isWhole(await rig.generate({}, { last: 'yes' }))).toBe(true);
    expect(node.count).toBe(2);
  });

  it('uses a backup only while no other node is healthy', async () => {
    const strong = await rig.add('strong');
    const spare = await rig.add('spare', new EngineNode(), { backup: true });
    await rig.start();
    await many(6, () => rig.generate());
    expect(counts()).toEqual([6, 0]);
    await strong.kill();
    await rig.reach('strong', 'down');
    await many(3, () => rig.generate());
    expect(spare.count).toBe(3);
  });

  it.each(['/api/pull', '/api/push', '/api/create', '/api/copy', '/api/delete', '/api/blobs/x'])(
    'rejects %s with a sentence, and passes no other path',
    async (path) => {
      const node = await rig.add('a');
      await rig.start();
      const { status, text } = await rig.generate({}, {}, path);
      expect(status).toBe(403);
      expect(JSON.parse(text ?? '').error).toContain('models are managed on each server');
      expect((await rig.send('GET', '/metrics')).status).toBe(404);
      expect([node.count, node.paths]).toEqual([0, []]);
    },
  );

  it('reports a full queue as Ollama does, after the time limit', async () => {
    let finish = () => {};
    await rig.add(
      'a',
      new EngineNode({
        answer: (_request, response) => {
          finish = () => response.end('{"done":true}\n');
        },
      }),
    );
    await rig.start({ replace: { 'timeout queue 600s': 'timeout queue 300ms' } });
    const first = rig.generate();
    await expect.poll(() => rig.nodes.get('a')?.active).toBe(1);
    const { status, text } = await rig.generate();
    expect(status).toBe(503);
    expect(JSON.parse(text ?? '')).toEqual({ error: expect.stringContaining('busy or down') });
    finish();
    expect(isWhole(await first)).toBe(true);
  });
});

/** Returns a server whose commands reach the HAProxy of a rig. */
function hostWith(rig: BalancerRig): Host {
  return new Host('/nonexistent', async (_file, _args, { input = '' } = {}) => {
    return { code: 0, stdout: await rig.ask(`${input}`.trim()), stderr: '' };
  });
}
