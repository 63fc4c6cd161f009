import { describe, expect, it } from 'vitest';
import { engines } from '#contract/site/engines/engines.ts';
import { slowServers } from '../../../../appliance/nodes/balancer/slow-servers.ts';
import type { EngineState } from '../../../../appliance/nodes/balancer/states.ts';

/** Mean seconds per answer, by name. */
type Times = Readonly<Record<string, number>>;

function slow(
  times: Times,
  fields: Readonly<Record<string, Partial<EngineState> & { weight?: number }>> = {},
): string[] {
  const nodes = Object.keys(times).map((name) => ({
    ...{ name, url: `https://${name}.example.com`, weight: fields[name]?.weight ?? 2 },
  }));
  const parsed = engines.parse({ nodes });
  const servers = Object.entries(times).map(([name, seconds], id) => ({
    ...({
      name,
      server: name,
      id,
      state: 'up',
      backend: 'generate-1',
      slots: 2,
      inFlight: 0,
      waiting: 0,
      perMinute: 0,
    } as const),
    ...{ answered: 20, failed: 0, chats: 20, answerTime: seconds * 1000, ...fields[name] },
  }));
  return slowServers(servers, parsed ?? { nodes: [] }).map(({ name }) => name);
}

describe('the search for slow servers', () => {
  it('finds a server that takes three times as long as the others', () => {
    expect(slow({ a: 5, b: 6, c: 18 })).toEqual(['c']);
    expect(slow({ a: 5, b: 15 })).toEqual(['b']);
    expect(slow({ a: 5, b: 6, c: 17 })).toEqual([]);
  });

  it('finds no slow server next to a single fast one', () => {
    expect(slow({ a: 1, b: 6, c: 7 })).toEqual([]);
  });

  it.each([
    ['another weight', { weight: 1 }],
    ['other models', { backend: 'generate-2' }],
    ['few answers', { chats: 19 }],
  ])('does not compare a server with %s', (_what, fields) => {
    expect(slow({ a: 5, b: 50 }, { b: fields })).toEqual([]);
  });
});
