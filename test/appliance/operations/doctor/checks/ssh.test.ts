import { describe, expect, it } from 'vitest';
import { sshCheck } from '../../../../../appliance/operations/doctor/checks/ssh.ts';
import { contextFor } from '../../../context.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

const passwd = `ops:x:${process.getuid?.()}:${process.getgid?.()}::/home/ops:/bin/bash\n`;
const running: Answers = {
  'getent passwd ops': passwd,
  '/usr/sbin/sshd -t': '',
  'systemctl is-active --quiet ssh.service': '',
  'systemctl is-active --quiet ssh.socket': 3,
  '/usr/sbin/sshd -T': 'passwordauthentication no\npermitrootlogin no\n',
  id: 'ops sudo',
  getent: 'sudo:x:27:ops',
};
const found = async (answers: Answers, files: Record<string, string> = {}) =>
  (await look(sshCheck, TemporaryHost.with(files, { ...running, ...answers }))).map(
    ([code, , text]) => `${code}: ${text}`,
  );

describe('the check of a lockout', () => {
  it('finds a missing account', async () => {
    expect(await found({ 'getent passwd ops': 2 })).toEqual([
      'SSH_LOCKOUT_RISK: the administrator ops has no account',
    ]);
  });

  it('finds settings that sshd rejects at its next start', async () => {
    expect(await found({ '/usr/sbin/sshd -t': 255 })).toContainEqual(
      expect.stringContaining('sshd would reject its settings at the next start: '),
    );
  });

  it('finds a missing key and missing sudo rights', async () => {
    expect(await found({})).toEqual([
      expect.stringContaining('no SSH key of ops is accepted by sshd'),
      'SSH_LOCKOUT_RISK: a first boot would add 1 SSH key of the site to ops',
      'SSH_LOCKOUT_RISK: a first boot would allow ops to become root with sudo',
    ]);
  });

  it('finds an sshd that is not running', async () => {
    const stopped = { 'systemctl is-active --quiet ssh.service': 3 };
    expect(await found(stopped)).toContain('SSH_LOCKOUT_RISK: sshd is not running');
  });

  it('finds passwords that were allowed by hand, whatever else is wrong', async () => {
    const opened = { '/usr/sbin/sshd -T': 'passwordauthentication yes\npermitrootlogin no\n' };
    expect(await found(opened)).toContain(
      'SSH_OPENED: sshd no longer accepts keys only: PasswordAuthentication is yes',
    );
  });

  it('offers no automatic fix for a lockout', async () => {
    const host = TemporaryHost.with({}, { ...running, 'getent passwd ops': 2 });
    const findings = sshCheck.needs === 'site' ? await sshCheck.run(contextFor(host)) : [];
    expect(findings.map(({ fix }) => fix)).toEqual([undefined]);
  });
});
