import { expect, it } from 'vitest';
import { chatName } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { codesOf, runDoctor } from './run-doctor.ts';

/** A name of another host, which the server resolves and its site has as the mirror of files. */
export const mirrorName = 'mirror.example.com';
/** The model of the server. */
export const model = 'tiny:1b';
const pair = '/var/lib/landfall/stack/gateway/tls/site';

/** Faults that are present at the same time: how each comes about, and who repairs it. */
const faults: ReadonlyArray<{
  readonly code: string;
  readonly subject: string;
  readonly cause: string;
  /** Undefined if `--fix` repairs it. */
  readonly repair?: string;
}> = [
  {
    code: 'MODEL_MISSING',
    subject: model,
    cause: `landfall models remove ${model}`,
  },
  { code: 'COMPONENT_DOWN', subject: 'tinyproxy', cause: 'docker stop landfall-tinyproxy' },
  { code: 'BAN_DOWN', subject: 'fail2ban', cause: 'systemctl stop fail2ban' },
  {
    code: 'CERTIFICATE_INVALID',
    subject: 'certificate',
    cause: `cd ${pair} && openssl req -x509 -new -key privkey.pem -subj /CN=x -addext subjectAltName=DNS:${chatName} -not_before 20200101000000Z -not_after 20200201000000Z -out /tmp/old.pem && cat /tmp/old.pem >fullchain.pem`,
  },
  {
    code: 'GATEWAY_SETTINGS',
    subject: 'gateway',
    cause: `file=$(grep -rl server_name /var/lib/landfall/stack/gateway | head -1) && echo 'nonsense;' >>"$file"`,
  },
  {
    code: 'NAME_POLLUTED',
    subject: mirrorName,
    cause: `cp /etc/hosts /root/hosts && echo '127.0.0.1 ${mirrorName}' >>/etc/hosts`,
    repair: 'cat /root/hosts >/etc/hosts',
  },
  {
    code: 'PORT_CLOSED',
    subject: '9000/tcp',
    cause: 'ufw allow 9000/tcp',
    repair: 'ufw delete allow 9000/tcp',
  },
  {
    code: 'DISK_FULL',
    subject: '/var/log',
    cause: 'mount -t tmpfs -o size=1m tmpfs /var/log && head -c 2M /dev/zero >/var/log/x || true',
    repair: 'umount /var/log',
  },
];

/** Tests `landfall doctor` and `landfall plan` on a healthy server, and with faults. */
export function itFindsFaults(premises: () => Premises): void {
  const host = () => premises().host;
  const doctor = (options = '', program = 'landfall') => runDoctor(host(), options, program);

  it('prints no findings of landfall doctor on a healthy server', async () => {
    const seen = await doctor();
    expect(seen.findings).toEqual([]);
    expect(seen).toMatchObject({ skipped: [], exitCode: 0 });
    const { stdout } = await host().run('landfall doctor');
    expect(stdout).toMatch(/^\d+ checks, no findings\n$/);
  });

  // Regression: the address of the session counted as a pending change of the stage `ban`.
  it('prints no findings of landfall doctor in an SSH session of the administrator', async () => {
    const ran = await premises().asAdministrator('sudo landfall doctor --json');
    expect(JSON.parse(ran.stdout).findings).toEqual([]);
    expect(ran.exitCode).toBe(0);
  });

  it('shows a changed file as a diff in the plan', async () => {
    const file = '/etc/fail2ban/jail.d/landfall.conf';
    await host().output(
      `cp -p ${file} /root/jails && sed -i 's/maxretry = 5/maxretry = 99/' ${file}`,
    );
    const { stdout } = await host().run('landfall plan');
    await host().output(`cat /root/jails >${file}`);
    expect(stdout).toContain('-maxretry = 99\n+maxretry = 5\n');
  });

  it('reports to a user without root what it could not check', async () => {
    const current = '/opt/landfall/current';
    const without = 'setpriv --reuid=daemon --regid=daemon --clear-groups';
    // Usually only root can read a release.
    await host().output('chmod 755 /opt/landfall/releases/*');
    const program = `${without} ${current}/runtime/node ${current}/program/landfall.mjs`;
    const seen = await doctor('', program);
    await host().output('chmod 700 /opt/landfall/releases/*');
    expect(seen.findings).toEqual([]);
    expect(seen.skipped).toContainEqual({ name: 'ssh', reason: 'must be run as root' });
    expect(seen.skipped.map(({ name }) => name)).not.toContain('disk');
  });

  it('finds many faults at once, and --fix repairs all that are safe', async () => {
    for (const { cause } of faults) await host().output(cause);
    const seen = await doctor();
    for (const { repair } of faults) if (repair) await host().output(repair);
    for (const { code, subject } of faults) expect(codesOf(seen)).toContainEqual({ code, subject });
    expect(seen.exitCode).toBe(12);
    const fixed = await doctor('--fix --yes');
    expect(fixed.fixes.filter(({ outcome }) => outcome !== 'applied')).toEqual([]);
    expect(fixed.findings).toEqual([]);
    expect(fixed.exitCode).toBe(0);
  });
}
