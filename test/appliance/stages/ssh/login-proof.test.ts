import { existsSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type CommandResult, runCommand } from '../../../../appliance/server/host/run/command.ts';
import {
  addProofKey,
  proveLogin,
  refusalsSince,
  removeProofKey,
} from '../../../../appliance/stages/ssh/login-proof.ts';
import { loopbackEndpoints } from '../../../../appliance/stages/ssh/loopback-login.ts';
import { offeredMethods } from '../../../../appliance/stages/ssh/stage.ts';
import { sshAnswers } from '../../answers.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const keysFile = 'home/ops/.ssh/authorized_keys';
const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

interface Situation {
  readonly login: Partial<CommandResult> | ReadonlyArray<Partial<CommandResult>>;
  readonly journal?: string;
  readonly listen?: string;
}

/** Returns a server with given results of ssh. Keys are really created, other commands succeed. */
function server({ login, journal = '', listen = '0.0.0.0:22' }: Situation) {
  const host = TemporaryHost.with(
    {
      [keysFile]: 'ssh-ed25519 AAAA owner\n',
      'etc/ssh/ssh_host_ed25519_key.pub': 'ssh-ed25519 HOSTKEY root@server\n',
    },
    {
      ...sshAnswers,
      'ssh-keygen -q': '',
      'ssh ': '',
      'getent passwd ops': `ops:x:${uid}:${gid}::/home/ops:/bin/bash\n`,
      '/usr/sbin/sshd -T': `listenaddress ${listen}\nhostkey /etc/ssh/ssh_host_ed25519_key\n`,
      journalctl: journal,
    },
  );
  const answers = [login].flat();
  const recorded = host.run.bind(host);
  const seen = { knownHosts: '', keys: '' };
  host.run = async (file, args, options) => {
    const result = await recorded(file, args, options);
    if (file === 'ssh-keygen') return await runCommand(file, args, options);
    if (file !== 'ssh') return result;
    const knownHosts = args.join(' ').match(/UserKnownHostsFile=(\S+)/)?.[1] ?? '';
    seen.knownHosts = await readFile(knownHosts, 'utf8').catch(() => '');
    seen.keys = await readFile(host.path(keysFile), 'utf8');
    return {
      code: 0,
      stdout: '',
      stderr: '',
      ...(answers.length > 1 ? answers.shift() : answers[0]),
    };
  };
  return { host, seen };
}

describe('the test login', () => {
  it('connects to the sshd of this server with only the key', async () => {
    const { host, seen } = server({ login: { code: 0 }, listen: '0.0.0.0:2222' });
    await proveLogin(host, 'ops');
    const ssh = host.ran.find((line) => line.startsWith('ssh ')) ?? '';
    expect(ssh).toMatch(/^ssh -F \/dev\/null -p 2222 -l ops -i \S+\/login-proof\/key /);
    expect(ssh).toContain('IdentityAgent=none');
    expect(ssh).toContain('PreferredAuthentications=publickey');
    expect(ssh).toContain('StrictHostKeyChecking=yes');
    expect(ssh).toMatch(/ 127\.0\.0\.1 sudo -n true$/);
    expect(seen.knownHosts).toBe('* ssh-ed25519 HOSTKEY\n');
  });

  it('fails with the messages of ssh and sshd', async () => {
    const { host } = server({
      login: { code: 255, stderr: 'ops@127.0.0.1: Permission denied (publickey).\n' },
      journal: [
        'Authentication refused: bad ownership or modes for directory /home/ops',
        'Connection from 127.0.0.1 port 50000 on 127.0.0.1 port 22',
      ].join('\n'),
    });
    await expect(proveLogin(host, 'ops')).rejects.toMatchObject({
      code: 'SSH_UNPROVEN',
      message: 'ops cannot log in with a key',
      hint: expect.stringContaining('Logins with passwords and as root still work'),
      problems: [
        { message: 'ops@127.0.0.1: Permission denied (publickey).' },
        { message: 'Authentication refused: bad ownership or modes for directory /home/ops' },
      ],
    });
  });

  it('fails if the login succeeds but sudo does not', async () => {
    const { host } = server({ login: { code: 1, stderr: 'sudo: a password is required\n' } });
    await expect(proveLogin(host, 'ops')).rejects.toMatchObject({
      code: 'SSH_UNPROVEN',
      message: 'ops can log in with a key, but cannot become root with sudo',
      problems: [{ message: 'sudo: a password is required' }],
    });
  });

  it('retries the test login while sshd reloads its settings', async () => {
    const refused = { code: 255, stderr: 'ssh: connect to host 127.0.0.1: Connection refused' };
    const { host } = server({ login: [refused, refused, { code: 0 }] });
    await proveLogin(host, 'ops');
    expect(host.ran.filter((line) => line.startsWith('ssh '))).toHaveLength(3);
  });

  it('stops the test login after a permanent rejection', async () => {
    const { host } = server({ login: { code: 255, stderr: 'Permission denied (publickey).' } });
    await expect(proveLogin(host, 'ops')).rejects.toMatchObject({ code: 'SSH_UNPROVEN' });
    expect(host.ran.filter((line) => line.startsWith('ssh '))).toHaveLength(1);
  });

  it.each([{ code: 0 }, { code: 255, stderr: 'Permission denied' }])(
    'removes its key: %o',
    async (login) => {
      const { host, seen } = server({ login });
      await proveLogin(host, 'ops').catch(() => {});
      expect(seen.keys).toContain('landfall-login-proof');
      expect(await readFile(host.path(keysFile), 'utf8')).toBe('ssh-ed25519 AAAA owner\n');
    },
  );

  it('fails if SSH does not listen', async () => {
    const { host } = server({ login: { code: 0 }, listen: 'none' });
    await expect(proveLogin(host, 'ops')).rejects.toMatchObject({
      code: 'SSH_UNPROVEN',
      problems: [{ message: 'SSH listens on no port' }],
    });
  });

  it('tries another address, because IPv6 may be disabled', async () => {
    const dead = { code: 255, stderr: 'ssh: connect to host 127.0.0.1 port 22: No route to host' };
    const { host } = server({ login: [dead, { code: 0 }], listen: '[::]:22' });
    await proveLogin(host, 'ops');
    const logins = host.ran.filter((line) => line.startsWith('ssh '));
    expect(logins.map((line) => line.match(/(\S+) sudo -n true$/)?.[1])).toEqual([
      '127.0.0.1',
      '::1',
    ]);
  });
});

describe('the addresses at which this machine reaches its own sshd', () => {
  const at = (address: string, port = 22) => ({ address, port });

  it.each([
    ['every address', [at('::'), at('0.0.0.0')], [at('127.0.0.1'), at('::1')]],
    ['IPv4 alone', [at('0.0.0.0')], [at('127.0.0.1')]],
    ['one address', [at('203.0.113.9')], [at('203.0.113.9')]],
    ['two ports', [at('0.0.0.0'), at('0.0.0.0', 2222)], [at('127.0.0.1'), at('127.0.0.1', 2222)]],
  ])('depend on the listening addresses: %s', (_what, listeners, doors) => {
    expect(loopbackEndpoints(listeners)).toEqual(doors);
  });
});

describe('the methods that sshd offers', () => {
  it.each([
    ['ops@127.0.0.1: Permission denied (publickey).', ['publickey']],
    [
      'root@::1: Permission denied (publickey,password,keyboard-interactive).',
      ['publickey', 'password', 'keyboard-interactive'],
    ],
    ['Connection reset by peer', []],
  ])('reads the methods that sshd offers from its rejection: %s', async (stderr, methods) => {
    const { host } = server({ login: { code: 255, stderr } });
    expect(await offeredMethods(host, 'ops')).toEqual(methods);
    const ssh = host.ran.find((line) => line.startsWith('ssh ')) ?? '';
    expect(ssh).toContain('PreferredAuthentications=none');
  });
});

const began = new Date('2026-01-01T00:00:00.900Z');

describe('the log messages of sshd', () => {
  it('reads the log messages of sshd from the start of the login', async () => {
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
  ])('reports a log message of sshd that contains a reason: %s', async (line) => {
    const journal = `Connection from 127.0.0.1 port 1 on 127.0.0.1 port 22\n${line}\n${line}\n`;
    const host = TemporaryHost.with({}, { journalctl: journal });
    expect(await refusalsSince(host, began)).toEqual([line]);
  });

  it('returns no log messages without a journal', async () => {
    const host = TemporaryHost.with({}, { journalctl: 1 });
    expect(await refusalsSince(host, began)).toEqual([]);
  });
});

const account = { user: 'ops', uid, gid, home: '/home/ops', shell: '/bin/bash' };

const owners = 'ssh-ed25519 AAAA owner\n# mine\nssh-rsa BBBB';

/** Returns a machine on which keys are really created. */
async function machine(keys: string) {
  const host = TemporaryHost.with({ [keysFile]: keys });
  host.run = runCommand;
  await chmod(host.path(keysFile), 0o600);
  const text = () => readFile(host.path(keysFile), 'utf8');
  return { host, text };
}

describe('the key of the test login', () => {
  it('restricts the key of the test login to one command, this machine and a few minutes', async () => {
    const { host, text } = await machine(`${owners}\n`);
    const path = await addProofKey(host, account, ['127.0.0.1', '::1']);
    const line = (await text()).trimEnd().split('\n').at(-1) ?? '';
    expect(line).toMatch(
      /^restrict,from="127\.0\.0\.1,::1",expiry-time="\d{14}",command="sudo -n true" ssh-ed25519 \S+ landfall-login-proof$/,
    );
    const [, expiry = ''] = /expiry-time="(\d+)"/.exec(line) ?? [];
    const [, y, mo, d, h, mi, s] = (/^(.{4})(..)(..)(..)(..)(..)$/.exec(expiry) ?? []).map(Number);
    const left = new Date(y ?? 0, (mo ?? 0) - 1, d, h, mi, s).getTime() - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(180_000);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(host.path('run/landfall/login-proof'))).mode & 0o777).toBe(0o700);
  });

  it('leaves no files', async () => {
    const { host, text } = await machine(`${owners}\n`);
    const path = await addProofKey(host, account, ['127.0.0.1']);
    await removeProofKey(host, account);
    expect(await text()).toBe(`${owners}\n`);
    expect((await stat(host.path(keysFile))).mode & 0o777).toBe(0o600);
    expect(existsSync(path)).toBe(false);
    expect(existsSync(host.path('run/landfall/login-proof'))).toBe(false);
  });

  it('replaces the key of a killed run', async () => {
    const { host, text } = await machine(`${owners}\n`);
    await addProofKey(host, account, ['127.0.0.1']);
    await addProofKey(host, account, ['127.0.0.1']);
    expect((await text()).match(/landfall-login-proof$/gm)).toHaveLength(1);
    await removeProofKey(host, account);
    expect(await text()).toBe(`${owners}\n`);
  });

  it('adds the key of the test login on a new line after a last line without a line break', async () => {
    const { host, text } = await machine(owners);
    await addProofKey(host, account, ['127.0.0.1']);
    expect((await text()).startsWith(`${owners}\nrestrict,`)).toBe(true);
  });

  it('creates no authorized_keys for the key of the test login', async () => {
    const host = TemporaryHost.with({});
    await removeProofKey(host, account);
    expect(existsSync(host.path(keysFile))).toBe(false);
  });
});
