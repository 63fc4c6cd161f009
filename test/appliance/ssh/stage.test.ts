import { describe, expect, it } from 'vitest';
import { sshStage } from '../../../appliance/ssh/stage.ts';
import { contextFor } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

const include = { 'etc/ssh/sshd_config': 'Include /etc/ssh/sshd_config.d/*.conf\n' };
const hostKey = { 'etc/ssh/ssh_host_ed25519_key.pub': 'ssh-ed25519 AAAA' };

function server(answers: Answers = {}, files: Record<string, string> = {}) {
  const host = TemporaryHost.with(
    { ...include, ...hostKey, ...files },
    {
      'getent passwd ops': 2,
      'passwd --status root': 'root L 2026-01-01 0 99999 7 -1\n',
      'ssh -Q KexAlgorithms': 'curve25519-sha256\n',
      '/usr/sbin/sshd -T': 'port 22\nlistenaddress 0.0.0.0:22\npasswordauthentication yes\n',
      ...answers,
    },
  );
  return { host, context: contextFor(host) };
}

describe('a fresh server', () => {
  it('is told what will be closed, and after what', async () => {
    const { context } = server({ 'passwd --status root': 'root P 2026-01-01 0 99999 7 -1\n' });
    expect(await sshStage.check(context)).toEqual([
      'prove that ops can log in with a key, then let SSH take keys only, no root, and current algorithms only',
      "lock root's password, after the same proof",
    ]);
  });

  it('is told that it needs host keys where an image has none', async () => {
    const host = TemporaryHost.with(include, {
      'getent passwd ops': 2,
      'passwd --status root': 'root L',
    });
    expect(await sshStage.check(contextFor(host))).toContain('make host keys');
  });

  it('is asked nothing about a user who is not there yet', async () => {
    const { host, context } = server();
    await sshStage.check(context);
    expect(host.ran.filter((line) => line.includes('user=ops'))).toEqual([]);
  });

  it('is not changed by being looked at', async () => {
    const { host, context } = server();
    await sshStage.check(context);
    const looks =
      /^(?:getent|passwd --status|ssh -Q|ssh-keygen -l|systemctl show|\/usr\/sbin\/sshd -T)/;
    expect(host.ran.filter((line) => !looks.test(line))).toEqual([]);
  });
});

describe('the proof that SSH is closed', () => {
  it('names every way that is still open', async () => {
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
        { message: 'SSH lets root try publickey, password, not a key alone' },
        { message: 'SSH lets ops try publickey, password, not a key alone' },
        { message: 'root still has a password' },
      ]),
    });
  });
});
