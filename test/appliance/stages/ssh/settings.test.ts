import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../appliance/server/host/sshd/sshd.ts';
import { knownAlgorithms } from '../../../../appliance/stages/ssh/algorithms.ts';
import {
  overridden,
  renderSettings,
  settingsFor,
} from '../../../../appliance/stages/ssh/apply-settings.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const kex = ['curve25519-sha256', 'ecdh-sha2-nistp256', 'diffie-hellman-group16-sha512'];
const algorithms = new Map([
  ['KexAlgorithms', ['curve25519-sha256']],
  ['HostKeyAlgorithms', ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-512-cert-v01@openssh.com']],
]);
const old = parseSettings('port 22\n');
const recent = parseSettings('requiredrsasize 1024\npersourcepenaltyexemptlist none\n');
const settings = settingsFor({ algorithms, now: recent, weakRsaKey: false });

describe('the SSH settings', () => {
  it('allow logins with keys only, and not as root', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      PermitRootLogin: 'no',
      PasswordAuthentication: 'no',
      KbdInteractiveAuthentication: 'no',
      PubkeyAuthentication: 'yes',
      PermitEmptyPasswords: 'no',
    });
  });

  it('allow tunnels to the server, and no others', () => {
    expect(settings.get('AllowTcpForwarding')).toBe('local');
    expect(settings.get('GatewayPorts')).toBe('no');
    expect(settings.get('X11Forwarding')).toBe('no');
    expect(settings.has('DisableForwarding')).toBe(false);
  });

  it('do not reject users with several keys, each of which is an attempt', () => {
    expect(Number(settings.get('MaxAuthTries'))).toBeGreaterThanOrEqual(6);
  });

  it('do not change the port', () => {
    expect(renderSettings(settings)).not.toMatch(/^(?:Port|ListenAddress) /m);
  });

  it('writes only SSH keywords that the installed sshd supports', () => {
    const forOld = settingsFor({ algorithms, now: old, weakRsaKey: false });
    expect(settings.get('RequiredRSASize')).toBe('2048');
    expect(settings.has('PerSourcePenaltyExemptList')).toBe(true);
    expect(forOld.has('RequiredRSASize')).toBe(false);
    expect(forOld.has('PerSourcePenaltyExemptList')).toBe(false);
  });

  it('do not offer a weak RSA host key', () => {
    const weak = settingsFor({ algorithms, now: recent, weakRsaKey: true });
    expect(settings.get('HostKeyAlgorithms')).toContain('rsa-sha2-512');
    expect(weak.get('HostKeyAlgorithms')).toBe('ssh-ed25519');
  });

  it('omit a type of algorithm if this OpenSSH has none of ours', () => {
    const none = settingsFor({ algorithms: new Map([['MACs', []]]), now: old, weakRsaKey: false });
    expect(none.has('MACs')).toBe(false);
  });

  it('writes the SSH settings one per line after a comment', () => {
    const lines = renderSettings(settings).trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('#'))).toHaveLength(settings.size);
    for (const line of lines) expect(line).toMatch(/^(?:# .*|[A-Za-z0-9]+ \S+)$/);
  });
});

describe('the algorithms', () => {
  const server = () =>
    TemporaryHost.with({}, { 'ssh -Q': '', 'ssh -Q KexAlgorithms': kex.join('\n') });

  it('lists our algorithms that this OpenSSH supports, in our order', async () => {
    expect((await knownAlgorithms(server())).get('KexAlgorithms')).toEqual([
      'curve25519-sha256',
      'diffie-hellman-group16-sha512',
    ]);
  });

  it('never include group exchange, which would require a change of /etc/ssh/moduli', async () => {
    const all = 'diffie-hellman-group-exchange-sha256\ncurve25519-sha256\n';
    const host = TemporaryHost.with({}, { 'ssh -Q': all });
    expect([...(await knownAlgorithms(host)).values()].flat()).toEqual(['curve25519-sha256']);
  });
});

describe('the comparison with the effective settings', () => {
  const effective = [...settings].map(([keyword, value]) => `${keyword.toLowerCase()} ${value}`);

  it('finds no difference if they are equal', () => {
    expect(overridden(settings, parseSettings(effective.join('\n')))).toEqual([]);
  });

  it('reports an overridden setting', () => {
    const other = effective.map((line) =>
      line.startsWith('passwordauthentication') ? 'passwordauthentication yes' : line,
    );
    expect(overridden(settings, parseSettings(other.join('\n')))).toEqual([
      { keyword: 'PasswordAuthentication', wanted: 'no', found: 'yes' },
    ]);
  });

  it('reports a missing setting', () => {
    expect(overridden(settings, parseSettings(''))).toHaveLength(settings.size);
  });
});
