import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loginKeys } from '../../../../appliance/stages/users/login-keys.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const passwd = `ops:x:${uid}:${gid}::/home/ops:/bin/bash\n`;
const own = 'ssh-ed25519 BBBB added-by-hand';
const keysFile = 'home/ops/.ssh/authorized_keys';
const keys = ['ssh-ed25519 AAAA me@laptop'];
const extra = 'ssh-ed25519 CCCC you@desk';

function server(files: Record<string, string>, passwdLine: string | number = passwd) {
  const host = TemporaryHost.with(files, { 'getent passwd ops': passwdLine });
  const mode = async (path: string) => (await stat(host.path(path))).mode & 0o777;
  return { host, mode, context: contextFor(host) };
}

describe('the keys of the administrator account', () => {
  it('adds the keys of the site to the administrator account, readable only by the user', async () => {
    const { host, mode, context } = server({ 'home/ops/.profile': '' });
    expect(await loginKeys.check(context)).toEqual(['add 1 SSH key of the site to ops']);
    await loginKeys.apply(context);
    expect(await readFile(host.path(keysFile), 'utf8')).toBe('ssh-ed25519 AAAA me@laptop\n');
    expect(await mode('home/ops/.ssh')).toBe(0o700);
    expect(await mode(keysFile)).toBe(0o600);
    expect(await loginKeys.check(context)).toEqual([]);
  });

  it('plans the keys of the administrator account before the account exists', async () => {
    const { context } = server({}, 2);
    expect(await loginKeys.check(context)).toEqual(['add 1 SSH key of the site to ops']);
  });

  it('do not replace manually added keys', async () => {
    const { host, context } = server({ [keysFile]: `${own}\n` });
    await loginKeys.apply(context);
    expect(await readFile(host.path(keysFile), 'utf8')).toBe(
      `${own}\nssh-ed25519 AAAA me@laptop\n`,
    );
  });

  it('removes the keys that the site no longer has, and no others', async () => {
    const { host, context } = server({ [keysFile]: `${own}\n` });
    const withTwo = {
      ...context,
      site: { ...context.site, admin: { ...context.site.admin, ssh_keys: [...keys, extra] } },
    };
    await loginKeys.apply(withTwo);
    expect(await loginKeys.check(context)).toEqual(['remove 1 SSH key of ops']);
    await loginKeys.apply(context);
    expect(await readFile(host.path(keysFile), 'utf8')).toBe(`${own}\n${keys[0]}\n`);
    expect(await loginKeys.check(context)).toEqual([]);
    // Added by hand afterwards: it is not the site's any more.
    await writeFile(host.path(keysFile), `${keys[0]}\n${extra}\n`);
    expect(await loginKeys.check(context)).toEqual([]);
  });

  it.each([
    ['home/ops', 0o775],
    ['home/ops/.ssh', 0o755],
    [keysFile, 0o664],
  ])(
    'get correct permissions if others can write %s, because sshd would reject them',
    async (path, loose) => {
      const { host, mode, context } = server({ 'home/ops/.profile': '' });
      await chmod(host.path('home/ops'), 0o755);
      await loginKeys.apply(context);
      await chmod(host.path(path), loose);
      expect(await loginKeys.check(context)).toEqual([
        'fix the owner and the permissions of the SSH keys of ops',
      ]);
      await loginKeys.apply(context);
      expect((await mode(path)) & 0o022).toBe(0);
      expect(await loginKeys.check(context)).toEqual([]);
    },
  );

  it('keep a home folder readable for others', async () => {
    const { host, mode, context } = server({ 'home/ops/.profile': '' });
    await chmod(host.path('home/ops'), 0o755);
    await loginKeys.apply(context);
    expect(await readFile(host.path(keysFile), 'utf8')).toContain('ssh-ed25519 AAAA');
    expect(await mode('home/ops')).toBe(0o755);
  });
});
