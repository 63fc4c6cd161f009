import { describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { describeEngines } from '../../../../appliance/nodes/balancer/describe.ts';

describe('the table of servers', () => {
  const numbers = {
    slots: 2,
    inFlight: 2,
    waiting: 0,
    perMinute: 5,
    chats: 9,
    answered: 12,
    failed: 1,
  };
  const server = { server: 'x', backend: 'generate-1', id: 1, ...numbers };

  it('shows each server, what waits, and why one is down', () => {
    const text = describeEngines({
      waiting: 3,
      servers: [
        { name: 'gpu1', state: 'up', release: '1.2.0', models: ['big:70b'], ...server },
        { name: 'attic', state: 'down', reason: 'Layer4 timeout', ...server },
      ],
    });
    expect(text.split('\n')).toEqual([
      'NAME   STATE  RELEASE  IN FLIGHT  WAITING  PER MIN  FAILED  MODELS',
      'gpu1   up     1.2.0            2        0        5       1  big:70b',
      'attic  down   -                2        0        5       1  as on this server',
      '3 more requests wait for any server.',
      'attic is down: Layer4 timeout',
    ]);
  });

  it('shows them in Chinese', () => {
    setLanguage('zh');
    try {
      const servers = [
        { name: 'attic', state: 'down', reason: 'Layer4 timeout', ...server },
      ] as const;
      expect(describeEngines({ waiting: 3, servers }).split('\n')).toEqual([
        '名称   状态    版本  处理中  等待  每分钟  失败  模型',
        'attic  不可用  -          2     0       5     1  与这台服务器相同',
        '另有 3 个请求在等待任意一台服务器。',
        'attic 不可用：Layer4 timeout',
      ]);
    } finally {
      setLanguage('en');
    }
  });

  it('fits into 100 columns with many models, long names and large numbers', () => {
    const large = { inFlight: 64, waiting: 500, perMinute: 10_000, failed: 100_000 };
    const models = Array.from({ length: 32 }, (_, index) => `model-${index}:70b`);
    const servers = ['a', 'b'.repeat(32)].flatMap((name) => [
      {
        ...server,
        ...large,
        name,
        state: 'draining',
        release: '1.2.0-rc.1+build',
        models,
      } as const,
      { ...server, ...large, name, state: 'up' } as const,
    ]);
    const wide = describeEngines({ waiting: 0, servers }).split('\n');
    expect(Math.max(...wide.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(wide.map((line) => line.split('  ').at(-1))).toEqual([
      ...['MODELS', '32', 'same', '32', 'same'],
    ]);
    const narrow = describeEngines({ waiting: 0, servers: servers.slice(0, 2) });
    expect(narrow).toContain('  model-0:70b, model-1:70b, +30\n');
  });
});
