import { describe, expect, it } from 'vitest';
import { unconfirmedCheck } from '../../../../appliance/doctor/checks/unconfirmed.ts';
import { undoFolder } from '../../../../appliance/host/undo/undo.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of unconfirmed changes', () => {
  it('finds a change that will be undone', async () => {
    const host = TemporaryHost.with({ [`${undoFolder}/firewall.sh`]: '' });
    expect(await look(unconfirmedCheck, host)).toEqual([
      ['CHANGE_UNCONFIRMED', 'firewall', 'the change of firewall waits for a confirmation'],
    ]);
  });

  it('finds nothing without one', async () => {
    expect(await look(unconfirmedCheck, TemporaryHost.with({}))).toEqual([]);
  });
});
