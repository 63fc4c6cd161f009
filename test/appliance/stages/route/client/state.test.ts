import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientStateFile, importedProxiesFile, installedMark } from '#contract/server-paths.ts';
import { waitForProxies } from '../../../../../appliance/stages/route/client/state.ts';
import { imported, server } from './rig.ts';

describe('a server without imported proxies', () => {
  it('waits in its first boot, says how to import them, and goes on with them', async () => {
    const { host, context } = server([]);
    const proxies = await waitForProxies(context, async () => {
      expect(context.said).toEqual([expect.stringContaining('sudo landfall route import <file>')]);
      expect(JSON.parse(readFileSync(host.path(clientStateFile), 'utf8'))).toMatchObject({
        ...{ state: 'waiting', node: null },
      });
      writeFileSync(host.path(importedProxiesFile), imported(['a']));
    });
    expect(proxies.map(({ name }) => name)).toEqual(['a']);
  });

  it('fails after its first boot, because no one may follow the command for days', async () => {
    const { host, context } = server([], {}, {}, { [installedMark]: '1.0.0\n' });
    await expect(waitForProxies(context)).rejects.toMatchObject({
      ...{ code: 'ROUTE_BLOCKED', retriable: false },
      hint: expect.stringContaining('sudo landfall route on'),
    });
    expect(host.ran).toEqual([]);
  });
});
