import { describe, expect, it } from 'vitest';
import { refusalsSince } from '../../../appliance/ssh/refusals.ts';
import { TemporaryHost } from '../temporary-host.ts';

const began = new Date('2026-01-01T00:00:00.900Z');

describe('the log messages of sshd', () => {
  it('are read from the start of the login', async () => {
    const host = TemporaryHost.with({}, { journalctl: '' });
    await refusalsSince(host, began);
    expect(host.ran[0]).toBe('journalctl --sync');
    expect(host.ran[1]).toContain(`--since=@${Date.UTC(2026, 0, 1) / 1000} `);
    expect(host.ran[1]).toContain('--identifier=sshd-session');
  });

  it.each([
    'User ops from 127.0.0.1 not allowed because not listed in AllowUsers',
    'Authentication refused: bad ownership or modes for file /home/ops/.ssh/authorized_keys',
    'fatal: Access denied for user ops by PAM account configuration [preauth]',
    'pam_unix(sshd:account): account ops has expired (account expired)',
  ])('are reported if they contain a reason: %s', async (line) => {
    const journal = `Connection from 127.0.0.1 port 1 on 127.0.0.1 port 22\n${line}\n${line}\n`;
    const host = TemporaryHost.with({}, { journalctl: journal });
    expect(await refusalsSince(host, began)).toEqual([line]);
  });

  it('are empty without a journal', async () => {
    const host = TemporaryHost.with({}, { journalctl: 1 });
    expect(await refusalsSince(host, began)).toEqual([]);
  });
});
