import { afterEach, beforeEach, expect, it } from 'vitest';
import { needs } from '../needs.ts';
import { BalancerRig } from './balancer-rig.ts';
import { EngineNode } from './engine-node.ts';

const { describe, haproxy } = needs('haproxy');

describe('nodes with different models', () => {
  let rig: BalancerRig;
  let nodes: EngineNode[];
  beforeEach(async () => {
    rig = new BalancerRig(haproxy);
    const add = (name: string, models?: string[]) =>
      rig.add(name, new EngineNode(models ? { models } : {}), models ? { models } : {});
    nodes = [
      await add('home'),
      await add('both', ['big:70b', 'qwen3:8b']),
      await add('large', ['big:70b']),
    ];
    await rig.start();
  });
  afterEach(() => rig.remove());

  const counts = () => nodes.map(({ count }) => count);
  const ask = (count: number, model: string) =>
    Promise.all(Array.from({ length: count }, () => rig.generate({ model })));

  it('answers a request on a node that has its model', async () => {
    const answers = [...(await ask(12, 'big:70b')), ...(await ask(12, 'qwen3:8b'))];
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    const [home = 0, both = 0, large = 0] = counts();
    expect(home + both + large).toBe(24);
    expect(large).toBeGreaterThanOrEqual(4);
    expect(home).toBeGreaterThanOrEqual(4);
    expect(both).toBeGreaterThanOrEqual(8);
    expect(nodes.map(({ peak }) => peak)).toEqual([1, 1, 1]);
  });

  it('offers a model while one healthy node has it', async () => {
    await nodes[1]?.kill();
    await rig.reach('both', 'down');
    const answers = [...(await ask(3, 'big:70b')), ...(await ask(3, 'qwen3:8b'))];
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await nodes[2]?.kill();
    await rig.reach('large', 'down');
    expect((await rig.generate({ model: 'big:70b' })).status).toBe(503);
    expect((await rig.generate()).status).toBe(200);
  });

  it('lists the models of each group at its port, and shows a model of any group', async () => {
    const lists = await Promise.all(
      rig.ports.map(async (port) => {
        const { text } = await rig.send('GET', '/api/tags', '', {}, port);
        return JSON.parse(text ?? '').models.map(({ name }: { name: string }) => name);
      }),
    );
    expect(lists).toEqual([['qwen3:8b'], ['big:70b', 'qwen3:8b'], ['big:70b']]);
    const shown = await rig.send('POST', '/api/show', JSON.stringify({ model: 'big:70b' }));
    expect(shown.status).toBe(200);
    expect(nodes.map(({ paths }) => paths)).toEqual([[], ['/api/show'], []]);
  });

  it('answers embeddings on a node with the model, which Open WebUI names last', async () => {
    // Its batches have 32 texts of 1,000 characters, and it escapes those that are not ASCII.
    const escaped = String.raw`\u4e2d`;
    const input = Array(32).fill(`"${escaped.repeat(1000)}"`);
    const body = `{"input": [${input.join(', ')}], "model": "big:70b", "truncate": true}`;
    expect((await rig.send('POST', '/api/embed', body)).status).toBe(200);
    const [home, both = 0, large = 0] = counts();
    expect([home, both + large]).toEqual([0, 1]);
  });

  it('keeps a chat in its group', async () => {
    const headers = { 'x-openwebui-chat-id': 'one' };
    const turns = ['big:70b', 'big:70b', 'big:70b', 'big:70b'];
    for (const model of turns) await rig.generate({ model, chat: 1 }, headers);
    expect(nodes.filter(({ chats }) => chats.length > 0)).toHaveLength(1);
  });
});
