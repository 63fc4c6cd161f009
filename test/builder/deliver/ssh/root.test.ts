import { describe, expect, it } from 'vitest';
import type { RemoteResult, SshConnection } from '../../../../builder/deliver/ssh/connection.ts';
import { becomeRoot } from '../../../../builder/deliver/ssh/root.ts';

/** A server that prints this for the first command. */
const server = (printed: Partial<RemoteResult>) =>
  ({
    destination: { host: '203.0.113.9', user: 'root' },
    run: async () => ({ code: 0, stdout: '', stderr: '', ...printed }),
  }) as unknown as SshConnection;

describe('becomeRoot', () => {
  it('accepts root and a user with sudo, after any greeting of their shell', async () => {
    const root = await becomeRoot(server({ stdout: 'Welcome to my server!\nlandfall user 0:0\n' }));
    expect(root.wrap('true')).toBe('true');
    const ops = await becomeRoot(server({ stdout: 'landfall user 1000:0\n' }));
    expect(ops.wrap('true')).toContain('sudo -n');
  });

  it('rejects a user without sudo', async () => {
    await expect(becomeRoot(server({ stdout: 'landfall user 1000:\n' }))).rejects.toMatchObject({
      code: 'SSH_DENIED',
      message: 'root@203.0.113.9 cannot become root',
    });
  });

  // AWS, OVH and Oracle let root log in, print this, and close the connection.
  it('quotes a server that wants another user, and names that user', async () => {
    const stdout = 'Please login as the user "admin" rather than the user "root".\n\n';
    await expect(becomeRoot(server({ code: 142, stdout }))).rejects.toMatchObject({
      code: 'SSH_DENIED',
      message: 'root@203.0.113.9 may log in, but not run commands',
      hint: 'Use that user instead: admin@203.0.113.9',
      problems: [{ message: 'Please login as the user "admin" rather than the user "root".' }],
    });
  });

  it('quotes a server that wants a new password', async () => {
    const stderr =
      'You are required to change your password immediately.\nPassword change required but no TTY available.\n';
    await expect(becomeRoot(server({ code: 1, stderr }))).rejects.toMatchObject({
      hint: expect.stringContaining('set a new password'),
      problems: [{}, { message: 'Password change required but no TTY available.' }],
    });
  });
});
