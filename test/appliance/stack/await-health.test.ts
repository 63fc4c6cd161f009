import { describe, expect, it } from 'vitest';
import { awaitHealth, pauseAfter } from '../../../appliance/stack/await-health.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const stateOf = (name: string, health: string) =>
  `${JSON.stringify({ Service: name, State: 'running', Health: health })}\n`;

describe('waiting for the stack', () => {
  it('ends once every service is healthy, with progress', async () => {
    let looks = 0;
    const host = TemporaryHost.with(
      {},
      {
        docker: (line) => {
          if (line.endsWith(' config --services')) return 'ui\ngateway\n';
          looks += 1;
          const health = looks === 1 ? 'starting' : 'healthy';
          return stateOf('ui', 'healthy') + stateOf('gateway', health);
        },
      },
    );
    const done: number[] = [];
    const context = contextFor(host);
    const report = { ...context.report, progress: (it: { done: number }) => done.push(it.done) };
    await awaitHealth({ ...context, report });
    expect(done).toEqual([1, 2]);
  });

  it('polls often in the first seconds, and then once per second', () => {
    expect([0, 9_999].map(pauseAfter)).toEqual([250, 250]);
    expect([10_000, 600_000].map(pauseAfter)).toEqual([1000, 1000]);
  });
});
