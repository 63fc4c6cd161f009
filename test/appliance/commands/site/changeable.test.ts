import { describe, expect, it } from 'vitest';
import {
  expectChangeable,
  needsConfirmation,
} from '../../../../appliance/commands/site/changeable.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const mine =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const yours =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 you@desk';
/** What sshd logs for a login with the first key; `ssh-keygen -lf` prints the same fingerprint. */
const login =
  'Accepted publickey for ops from 203.0.113.7 port 50022 ssh2: ED25519 SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU\n';

const journal =
  'journalctl --quiet --output=cat --identifier=sshd --identifier=sshd-session --grep=^Accepted publickey for ops ';
const expectOn = (logins: string | number, after: readonly string[], ...differences: object[]) => {
  const host = TemporaryHost.with({}, { [journal]: logins });
  const { site } = contextFor(host);
  const admin = { ...site.admin, ssh_keys: [...after] };
  return expectChangeable(host, { admin }, differences as never);
};

describe('a changed site', () => {
  it.each([
    { field: 'hosts.ui', before: 'a.example.com', after: 'b.example.com' },
    { field: 'admin.email', before: undefined, after: 'me@example.com' },
    { field: 'admin.ssh_keys', before: [mine], after: [mine, yours] },
    { field: 'timezone', before: undefined, after: 'UTC' },
  ])('may change $field without a confirmation', async (difference) => {
    await expectOn(1, [mine], difference);
    expect(needsConfirmation([difference])).toBe(false);
  });

  it.each([
    { field: 'route.mode', before: 'direct', after: 'client' },
    { field: 'dns', before: undefined, after: { nameserver: ['192.0.2.1'] } },
    { field: 'socks.port', before: 1080, after: 1081 },
  ])('may change $field, which a new login must confirm', async (difference) => {
    await expectOn(1, [mine], difference);
    expect(needsConfirmation([difference])).toBe(true);
  });

  it.each([
    ['admin.user', { before: 'ops', after: 'root2' }],
    ['release', { before: ['https://a.example/'], after: 'push' }],
    ['restore.from.path', { before: undefined, after: '/mnt/x' }],
    ['docker.source', { before: undefined, after: 'distribution' }],
  ])('cannot change %s, and says what to do instead', async (field, values) => {
    const harmless = { field: 'timezone', before: undefined, after: 'UTC' };
    await expect(expectOn(1, [mine], harmless, { field, ...values })).rejects.toMatchObject({
      code: 'USAGE',
      problems: [{ message: expect.stringContaining(field), hint: expect.stringMatching(/\w/) }],
    });
  });
});

describe('an SSH key that is removed', () => {
  const removal = { field: 'admin.ssh_keys', before: [mine, yours], after: [mine] };

  it('leaves a key that has logged in before, and needs a confirmation', async () => {
    await expectOn(login, [mine], removal);
    expect(needsConfirmation([removal])).toBe(true);
  });

  it.each([
    ['no key has logged in', 1],
    ['another key has logged in', login.replace('+DiY', 'Xxxx')],
  ])('rejects the removal if %s', async (_what, logins) => {
    await expect(expectOn(logins, [mine], removal)).rejects.toMatchObject({
      code: 'USAGE',
      problems: [{ hint: expect.stringContaining('Add the new key first') }],
    });
  });
});
