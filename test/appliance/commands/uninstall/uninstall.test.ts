import { describe, expect, it } from 'vitest';
import { uninstall } from '../../../../appliance/commands/uninstall/uninstall.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const options = { deleteData: false, yes: true };

describe('landfall uninstall', () => {
  it('changes nothing while the undo of another change could bring back what it removes', async () => {
    const host = TemporaryHost.with({ 'var/lib/landfall/undo/firewall.sh': '' });
    await expect(uninstall(contextFor(host), options)).rejects.toMatchObject({
      code: 'UNCONFIRMED',
    });
    expect(host.ran).toEqual([]);
  });

  it('changes nothing on a server of a Swarm', async () => {
    const host = TemporaryHost.with({});
    const context = contextFor(host, { site: { engines: { swarm: {} } } });
    await expect(uninstall(context, options)).rejects.toMatchObject({ code: 'USAGE' });
    expect(host.ran).toEqual([]);
  });
});
