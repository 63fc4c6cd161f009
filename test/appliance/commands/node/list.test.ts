import { describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { describeNodes, listed } from '../../../../appliance/commands/node/list.ts';
import type { Member } from '../../../../appliance/nodes/swarm/members.ts';

const now = Date.UTC(2026, 10, 28, 12);
const member = (name: string, end: number): Member => ({
  ...{ name, address: `198.19.253.${end}` as Member['address'], publicKey: `key of ${name}` },
  expires: '2026-11-29T12:00:00.000Z',
});
const node = (end: number, fields: object = {}) => ({
  ...{ id: `id${end}`, address: `198.19.253.${end}`, docker: '26.1.5' },
  ...{ isManager: false, isReady: true, isDrained: false },
  ...fields,
});
const task = (end: number, state: string, error = '') => {
  return { nodeId: `id${end}`, state, error, addresses: [] };
};

describe('the list of nodes', () => {
  const nodes = listed(
    {
      members: [member('gpu1', 2), member('gpu2', 3), member('attic', 4), member('new', 5)],
      nodes: [node(2), node(3, { isDrained: true }), node(4, { isReady: false })],
    },
    [task(2, 'running'), task(4, 'rejected', 'No such image: 127.0.0.1:9/landfall/engine:abc')],
    new Map([
      ['key of gpu1', now / 1000 - 12],
      ['key of gpu2', 0],
    ]),
    now,
  );

  it('combines what the members, Docker and WireGuard know', () => {
    expect(nodes).toMatchObject([
      { name: 'gpu1', state: 'ready', ollama: 'running', seen: 12 },
      { name: 'gpu2', state: 'drained' },
      { name: 'attic', state: 'down', ollama: 'rejected' },
      { name: 'new', state: 'invited' },
    ]);
    expect(nodes[1]).not.toHaveProperty('seen');
  });

  it('shows them as a table, with the reasons below', () => {
    const lines = describeNodes(nodes).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'NAME   STATE    OLLAMA    DOCKER  ADDRESS       SEEN',
      'gpu1   ready    running   26.1.5  198.19.253.2  12 s ago',
      'gpu2   drained  -         26.1.5  198.19.253.3  never',
    ]);
    expect(lines).toContain('attic: No such image: 127.0.0.1:9/landfall/engine:abc');
    expect(lines.at(-1)).toMatch(/^new has not joined; its token ends at 2026-11-29/);
  });

  it('shows them in Chinese', () => {
    setLanguage('zh');
    try {
      const lines = describeNodes(nodes).split('\n');
      expect(lines.slice(0, 3)).toEqual([
        '名称   状态    OLLAMA    DOCKER  地址          上次连接',
        'gpu1   就绪    running   26.1.5  198.19.253.2  12 s 前',
        'gpu2   已排空  -         26.1.5  198.19.253.3  从未',
      ]);
      expect(lines.at(-1)).toMatch(/^new 尚未加入；令牌在 2026-11-29.* 失效$/);
    } finally {
      setLanguage('en');
    }
  });

  it('says how to add the first one', () => {
    expect(describeNodes([])).toContain('sudo landfall node token');
  });
});
