import { describe, expect, it } from 'vitest';
import { confirmChanges } from '../../../appliance/commands/confirm.ts';
import { unconfirmed } from '../../../appliance/server/host/undo/undo.ts';
import { enterState, storedClient } from '../../../appliance/stages/route/client/state.ts';
import { TemporaryHost } from '../temporary-host.ts';

const stat = (pid: number, name: string, parent: number, start: number) =>
  `${pid} (${name}) S ${parent} 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 ${start} 9 9 9`;

interface Situation {
  /** Time of the change; absent after a reboot. */
  readonly change?: number;
  readonly login: number;
  readonly from?: string;
  readonly above?: string;
  /** The pending change. */
  readonly name?: string;
}

/** A server with a pending change and a login at a given time. */
function machine({
  change,
  login,
  from = '203.0.113.5',
  above = 'sshd',
  name = 'firewall',
}: Situation) {
  return TemporaryHost.with(
    {
      [`var/lib/landfall/undo/${name}.sh`]: 'true\n',
      ...(change === undefined ? {} : { [`run/landfall/undo/${name}`]: `${change}\n` }),
      'proc/60/stat': stat(60, above, 1, login),
      'proc/60/cmdline': 'sshd: ops [priv]\0',
      'proc/61/stat': stat(61, 'bash', 60, login + 3),
      'proc/61/environ': `SSH_CONNECTION=${from} 5 198.51.100.9 22\0`,
    },
    { 'systemctl is-active': 3, [`systemctl stop landfall-undo-${name}.timer`]: '' },
  );
}

describe('confirmChanges', () => {
  it('confirms a change from a login that started after it', async () => {
    const host = machine({ change: 1000, login: 1001 });
    expect(await confirmChanges(host, 61)).toEqual(['firewall']);
    expect(await unconfirmed(host)).toEqual([]);
    expect(host.ran).toContain('systemctl stop landfall-undo-firewall.timer');
  });

  it('makes a provisional capture of connections the active one', async () => {
    const host = machine({ change: 1000, login: 1001, name: 'capture' });
    await enterState(host, 'provisional', 'a');
    expect(await confirmChanges(host, 61)).toEqual(['capture']);
    expect(await storedClient.read(host)).toMatchObject({ state: 'active', node: 'a' });
  });

  it.each([
    [
      'started before the change',
      { change: 1000, login: 1000 },
      'this login started before the change',
    ],
    ['is on a console', { change: 1, login: 9, above: 'login' }, 'this is not an SSH login'],
    [
      'comes from the server itself',
      { change: 1, login: 9, from: '127.0.0.1' },
      'from the server itself',
    ],
    ['started after a reboot', { login: 9 }, 'this login started before the change'],
  ])('keeps the change pending if the login %s', async (_what, situation, reason) => {
    const host = machine(situation);
    await expect(confirmChanges(host, 61)).rejects.toMatchObject({
      code: 'UNCONFIRMED',
      message: expect.stringContaining(reason),
      hint: expect.stringContaining('sudo landfall confirm'),
    });
    expect(await unconfirmed(host)).toEqual(['firewall']);
  });

  it('confirms nothing if no change is pending', async () => {
    expect(await confirmChanges(TemporaryHost.with({}), 61)).toEqual([]);
  });
});
