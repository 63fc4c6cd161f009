import { describe, expect, it } from 'vitest';
import { stageNames, stageOrder } from '../../../../appliance/server/stage/stage.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const route = { mode: 'client' } as const;

function order(
  files: Readonly<Record<string, string>>,
  given: Parameters<typeof contextFor>[1] = { site: { route } },
) {
  return stageOrder(contextFor(TemporaryHost.with(files), given));
}

describe('the order of the stages', () => {
  it('places the account and SSH before a route that waits for proxies', () => {
    const names = order({ 'usr/bin/sudo': '' });
    expect(names.slice(0, 5)).toEqual(['preflight', 'users', 'ssh', 'route', 'firewall']);
    expect([...names].sort()).toEqual([...stageNames].sort());
  });

  it('places the route first if sudo must be installed, or there is no proxy client', () => {
    expect(order({})).toEqual(stageNames);
    expect(order({ 'usr/bin/sudo': '' }, {})).toEqual(stageNames);
  });
});
