import { describe, expect, it } from 'vitest';
import { sshStage } from '../../../../appliance/stages/ssh/stage.ts';
import { sshAnswers, undoAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const include = { 'etc/ssh/sshd_config': 'Include /etc/ssh/sshd_config.d/*.conf\n' };
const hostKey = { 'etc/ssh/ssh_host_ed25519_key.pub': 'ssh-ed25519 AAAA' };

function server(answers: Answers = {}, files: Record<string, string> = {}) {
  const host = TemporaryHost.with(
    { ...include, ...hostKey, ...files },
    {
      ...sshAnswers,
      'getent passwd ops': 2,
      'passwd --status root': 'root L 2026-01-01 0 99999 7 -1\n',
      'ssh -F': '',
      'ssh -Q': '',
      'ssh -Q KexAlgorithms': 'curve25519-sha256\n',
      '/usr/sbin/sshd -T': 'port 22\nlistenaddress 0.0.0.0:22\npasswordauthentication yes\n',
      ...answers,
    },
  );
  return { host, context: contextFor(host) };
}

describe('a fresh server', () => {
  it('shows the planned restrictions and the test login', async () => {
    const { context } = server({ 'passwd --status root': 'root P 2026-01-01 0 99999 7 -1\n' });
    expect(await sshStage.check(context)).toEqual([
      'test a login as ops with a key, then allow only keys, no root and current algorithms in SSH',
      "lock root's password after the test login",
    ]);
  });

  it('shows the creation of missing host keys', async () => {
    const host = TemporaryHost.with(include, {
      'getent passwd ops': 2,
      'passwd --status root': 'root L',
    });
    expect(await sshStage.check(contextFor(host))).toContain('generate host keys');
  });

  it('runs no query for a user who does not exist yet', async () => {
    const { host, context } = server();
    await sshStage.check(context);
    expect(host.ran).toContain('/usr/sbin/sshd -T');
    expect(host.ran.filter((line) => line.includes('user=ops'))).toEqual([]);
  });

  it('changes nothing on a fresh server in a check', async () => {
    const { host, context } = server();
    await sshStage.check(context);
    const looks =
      /^(?:getent|passwd --status|ssh -Q|ssh-keygen -l|systemctl show|\/usr\/sbin\/sshd -T)/;
    expect(host.ran).not.toEqual([]);
    expect(host.ran.filter((line) => !looks.test(line))).toEqual([]);
  });
});

describe('the keys of the administrator', () => {
  const good =
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAVLh5IHVUSfJ2fWgwr5BHQO+pkEvM9qOYXmNmKseIOc me';
  const cut = good.slice(0, -8);
  const account = `ops:x:${process.getuid?.()}:${process.getgid?.()}::/home/ops:/bin/bash\n`;

  /** Returns a server on which the test login always succeeds. */
  function owned(keys: string, ofSite: string) {
    const host = TemporaryHost.with(
      { ...include, ...hostKey, 'home/ops/.ssh/authorized_keys': `${keys}\n` },
      {
        ...sshAnswers,
        ...undoAnswers,
        '/bin/sh': '',
        'ssh-keygen -q': '',
        'ssh ': '',
        '/usr/sbin/sshd -t': '',
        'getent passwd ops': account,
        'passwd --status root': 'root P 2026-01-01',
        'ssh -Q': 'none\n',
        '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:22\n',
      },
    );
    return { host, context: contextFor(host, { site: { admin: { ssh_keys: [ofSite] } } }) };
  }

  // Regression: the test login passed with its own key, but the keys of the user were invalid.
  it('prevent any change if sshd accepts none of them', async () => {
    const { host, context } = owned(cut, cut);
    await expect(sshStage.apply(context)).rejects.toMatchObject({
      code: 'SSH_UNPROVEN',
      message: 'no SSH key of ops is accepted by sshd',
      problems: [
        {
          message: expect.stringMatching(
            /^admin\.ssh_keys\[0\].*is truncated or has trailing data/,
          ),
        },
      ],
    });
    expect(host.ran.join('\n')).not.toMatch(/systemd-run|--lock|reload/);
  });

  it.each([
    ['is among them', `${cut}\n${good}`],
    ['was added manually with options', `restrict,pty ${good}`],
  ])('accepts the keys of the administrator if a valid key %s', async (_what, keys) => {
    const { context } = owned(keys, cut);
    // The check of the keys passes, and the stage fails later with the settings.
    await expect(sshStage.apply(context)).rejects.toMatchObject({
      message: 'other settings in /etc/ssh override those of Landfall',
    });
  });

  it('reports invalid keys of the administrator, even beside a valid one', async () => {
    const { context } = owned(`${cut}\n${good}`, cut);
    await expect(sshStage.prove(context)).rejects.toMatchObject({ code: 'STAGE_FAILED' });
    expect(context.warned).toEqual([
      expect.stringMatching(/^admin\.ssh_keys\[0\] of the site is truncated or has trailing data/),
    ]);
  });
});

describe('the verification of the SSH restriction', () => {
  it('reports every login method that is still enabled', async () => {
    const { host, context } = server({ 'passwd --status root': 'root P 2026-01-01' });
    const recorded = host.run.bind(host);
    host.run = async (file, args, options) => {
      const result = await recorded(file, args, options);
      const stderr = 'root@127.0.0.1: Permission denied (publickey,password).';
      return file === 'ssh' && !args.includes('-Q') ? { code: 255, stdout: '', stderr } : result;
    };
    await expect(sshStage.prove(context)).rejects.toMatchObject({
      code: 'STAGE_FAILED',
      problems: expect.arrayContaining([
        { message: 'PasswordAuthentication is yes for root, not no' },
        { message: 'sshd offers root these methods, not only publickey: publickey, password' },
        { message: 'sshd offers ops these methods, not only publickey: publickey, password' },
        { message: 'root has a password that is not locked' },
      ]),
    });
  });
});
