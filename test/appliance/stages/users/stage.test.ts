import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { otherLogins, usersStage } from '../../../../appliance/stages/users/stage.ts';
import { chkpwd } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const secret = { 'etc/landfall/secrets/console-password': 'bcdfg\n' };
const passwd = [
  'root:x:0:0::/root:/bin/bash',
  'ops:x:1001:1001::/home/ops:/bin/bash',
  'debian:x:1000:1000::/home/debian:/bin/bash',
  'backup:x:34:34::/var/backups:/usr/sbin/nologin',
  '',
].join('\n');

function server(answers: Answers = {}, files: Record<string, string> = secret) {
  const all = {
    'systemctl list-units': 'getty@tty1.service loaded active running Getty\n',
    'getent passwd': passwd,
    runuser: '',
    [chkpwd]: 0,
    ...answers,
  };
  return contextFor(TemporaryHost.with(files, all));
}

describe('a fresh server', () => {
  const bare: Answers = { getent: 2, 'systemctl list-units': '' };

  it('shows every change without making it', async () => {
    const host = TemporaryHost.with({}, { ...bare, 'systemctl is-enabled': 1 });
    expect(await usersStage.check(contextFor(host))).toEqual([
      'create the user ops',
      'allow ops to become root with sudo',
      'add 1 SSH key of the site to ops',
      'generate a console password for ops',
      'show a login prompt on the console',
    ]);
    expect(
      host.ran.filter((line) => !/^(?:getent|passwd --status|systemctl (?:is-|list))/.test(line)),
    ).toEqual([]);
  });

  it('needs no login prompt if one is started on demand', async () => {
    const host = TemporaryHost.with({}, { ...bare, 'systemctl is-enabled': 0 });
    expect(await usersStage.check(contextFor(host))).not.toContain(
      'show a login prompt on the console',
    );
  });
});

describe('the verification of the administrator account', () => {
  it('passes if sudo and the console work', async () => {
    const context = server();
    await usersStage.prove(context);
    expect(context.warned).toEqual([]);
  });

  it('reports everything that does not work', async () => {
    const context = server({ runuser: 1, [`${chkpwd} ops chkexpiry`]: 13 });
    await expect(usersStage.prove(context)).rejects.toMatchObject({
      problems: [
        { message: 'ops cannot become root with sudo' },
        { message: expect.stringContaining('expired') },
      ],
    });
  });

  it('warns about a password that the administrator changed', async () => {
    const context = server({ [`${chkpwd} ops nonull`]: 7 });
    await usersStage.prove(context);
    expect(context.warned).toEqual([expect.stringContaining('was changed on the server')]);
  });

  it('warns about a server without a console', async () => {
    const context = server({ 'systemctl list-units': '' });
    await usersStage.prove(context);
    expect(context.warned).toEqual([expect.stringContaining('login is possible over SSH only')]);
  });

  it('warns about other users with keys, and about those of root', async () => {
    const context = server(
      {},
      {
        ...secret,
        'home/debian/.ssh/authorized_keys': 'ssh-ed25519 AAAA\nssh-ed25519 BBBB\n',
        'root/.ssh/authorized_keys': 'ssh-ed25519 CCCC\n',
        'var/backups/.ssh/authorized_keys': 'ssh-ed25519 DDDD\n',
      },
    );
    await usersStage.prove(context);
    expect(context.warned).toEqual([
      expect.stringMatching(/^root has 1 SSH key .*admin\.ssh_keys/),
      expect.stringMatching(/^debian can log in as well, with 1 SSH key that is not in the site/),
    ]);
  });

  // Root reads these files, and their users can replace them.
  it('counts no keys in a pipe or an endless device of another user', async () => {
    const context = server({}, secret);
    for (const home of ['home/debian', 'root']) {
      mkdirSync(context.host.path(home, '.ssh'), { recursive: true });
    }
    execFileSync('mkfifo', [context.host.path('home/debian/.ssh/authorized_keys')]);
    symlinkSync('/dev/zero', context.host.path('root/.ssh/authorized_keys'));
    await usersStage.prove(context);
    expect(context.warned).toEqual([]);
  });

  it('ignores the notice that cloud-init writes for root', async () => {
    const notice =
      'no-pty,command="echo \'Please login as the user \\"debian\\" rather than root.\'" ssh-ed25519 CCCC\n';
    const context = server({}, { ...secret, 'root/.ssh/authorized_keys': notice });
    await usersStage.prove(context);
    expect(context.warned).toEqual([]);
  });
});

describe('otherLogins', () => {
  const own = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOwn me@laptop';

  const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOther them@work';

  const passwd = 'root:x:0:0::/root:/bin/bash\nubuntu:x:1000:1000::/home/ubuntu:/bin/bash\n';

  async function warningsFor(files: Readonly<Record<string, string>>): Promise<string[]> {
    const host = TemporaryHost.with(files, { 'getent passwd': passwd });
    const found = await otherLogins(host, { user: 'ops', ssh_keys: [own] });
    return found.map(({ text }) => text.en);
  }

  it('warns that other keys of root stop working', async () => {
    expect(await warningsFor({ 'root/.ssh/authorized_keys': `${own}\n${other}\n` })).toEqual([
      expect.stringMatching(/^root has 1 SSH key that stops? working/),
    ]);
  });

  // Regression: the warning named a key that the site has.
  it('does not warn of keys that are in the site, with another comment or options', async () => {
    const sameKey = own.replace('me@laptop', 'cloud');
    expect(
      await warningsFor({
        'root/.ssh/authorized_keys': `no-pty ${sameKey}\n`,
        'home/ubuntu/.ssh/authorized_keys': `${sameKey}\n`,
      }),
    ).toEqual([]);
  });
});
