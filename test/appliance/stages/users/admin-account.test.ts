import { describe, expect, it } from 'vitest';
import { adminAccount } from '../../../../appliance/stages/users/admin-account.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const passwd = 'ops:x:1001:1001::/home/ops:/bin/bash\n';
const shadow = 'ops:$y$hash:20000:0:99999:7:::\n';
const files = { 'etc/shells': '/bin/sh\n/bin/bash\n', 'home/ops/.profile': '' };

/** Returns a server with a correct account, except for the changes of a test. */
function server(answers: Answers = {}, more: Record<string, string> = files) {
  const all: Answers = {
    'getent passwd ops': passwd,
    'getent shadow ops': shadow,
    usermod: '',
    chage: '',
    mkhomedir_helper: '',
    ...answers,
  };
  const host = TemporaryHost.with(more, all);
  return { host, context: contextFor(host) };
}

/** Returns a server whose account exists after useradd. */
function emptyServer(group: Answers[string] = 2) {
  let made = false;
  return server({
    'getent passwd ops': () => (made ? passwd : 2),
    'getent group ops': group,
    useradd: () => {
      made = true;
      return '';
    },
  });
}

describe('the administrator account', () => {
  it('creates the administrator account with a home folder and a shell', async () => {
    const { host, context } = emptyServer();
    expect(await adminAccount.check(context)).toEqual(['create the user ops']);
    await adminAccount.apply(context);
    expect(host.ran).toContain('useradd --create-home --shell /bin/bash ops');
    expect(await adminAccount.check(context)).toEqual([]);
  });

  it('uses an existing group of its name', async () => {
    const { host, context } = emptyServer('ops:x:1004:\n');
    await adminAccount.apply(context);
    expect(host.ran).toContain('useradd --create-home --shell /bin/bash --gid 1004 ops');
  });

  it.each([
    ['a group', { 'getent passwd ops': 2, 'getent group ops': 'ops:x:27:\n' }],
    ['an account', { 'getent passwd ops': 'ops:x:33:33::/var/www:/usr/sbin/nologin\n' }],
  ])(
    'rejects the administrator account if the system has %s with this name',
    async (what, answers) => {
      const { host, context } = server(answers);
      const refusal = {
        code: 'CONFIG_INVALID',
        message: `ops is already used by ${what} of the system`,
        hint: expect.stringContaining('admin.user'),
      };
      await expect(adminAccount.check(context)).rejects.toMatchObject(refusal);
      await expect(adminAccount.apply(context)).rejects.toMatchObject(refusal);
      expect(host.ran.filter((line) => /^(?:useradd|usermod|chage)/.test(line))).toEqual([]);
    },
  );

  it('leaves a correct administrator account unchanged', async () => {
    const { host, context } = server();
    expect(await adminAccount.check(context)).toEqual([]);
    await adminAccount.apply(context);
    expect(host.ran.every((line) => line.startsWith('getent '))).toBe(true);
  });

  it.each(['/usr/sbin/nologin', '/bin/false', '/opt/odd'])(
    'gets a login shell instead of %s',
    async (shell) => {
      const { host, context } = server({ 'getent passwd ops': passwd.replace('/bin/bash', shell) });
      expect(await adminAccount.check(context)).toEqual(['fix the user ops: login shell']);
      await adminAccount.apply(context);
      expect(host.ran).toContain('usermod --shell /bin/bash ops');
    },
  );

  it('gets a missing home folder after an interrupted run', async () => {
    const { host, context } = server({}, { 'etc/shells': '/bin/bash\n' });
    expect(await adminAccount.check(context)).toEqual(['fix the user ops: home folder']);
    await adminAccount.apply(context);
    expect(host.ran).toContain('mkhomedir_helper ops');
  });

  it.each([
    ['has an expiry date', 'ops:!:20000:0:99999:7::20001:\n'],
    ['has a password with a maximum age', 'ops:!:20000:0:90:7:::\n'],
    ['must change its password at the next login', 'ops:!:0:0:99999:7:::\n'],
    ['is disabled when its password expires', 'ops:!:20000:0:99999:7:14::\n'],
  ])('never expires, because PAM would reject keys as well: one that %s', async (_what, line) => {
    const { host, context } = server({ 'getent shadow ops': line });
    expect(await adminAccount.check(context)).toEqual([expect.stringContaining('account expiry')]);
    await adminAccount.apply(context);
    expect(host.ran).toContain('chage --maxdays -1 --inactive -1 --expiredate -1 ops');
  });

  it('finds nothing left to do for an administrator account that never expires', async () => {
    const { context } = server({ 'getent shadow ops': 'ops:$y$hash:20000:0::7:::\n' });
    expect(await adminAccount.check(context)).toEqual([]);
  });
});
