import { beforeAll, expect, it } from 'vitest';
import { type Report, reportSchema } from '../../../appliance/stages/report/report.ts';
import type { Premises } from './premises.ts';

/** Memory limit of the program, in bytes. */
const maxMemory = 145e6;

/**
 * Tests that the report of a server matches what clients observe. The SSH rate limit allows few
 * connections in half a minute, so the administrator logs in only once here.
 */
export function itReportsItsActualState(premises: () => Premises): void {
  const run = (command: string) => premises().host.run(command);
  let report: Report;

  const shownToBrowsers = async () => {
    const asking = '-connect chat.example.com:443 -servername chat.example.com';
    const { stdout } = await premises().administrator.run(
      `openssl s_client ${asking} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256`,
    );
    return stdout.trim().split('=')[1];
  };

  beforeAll(async () => {
    const { stdout } = await run('landfall report --json');
    report = reportSchema.parse(JSON.parse(stdout));
  });

  it('prints the host key that SSH shows in the report', async () => {
    const { cloud, host } = premises();
    const stranger = await cloud.outsider();
    const { stdout } = await stranger.run(
      `ssh-keyscan -t ed25519 ${host.addresses.v4} 2>/dev/null | ssh-keygen -l -f -`,
    );
    expect(report.ssh.fingerprints).toContain(`ED25519 ${stdout.split(' ')[1]}`);
  });

  it('prints the certificate that browsers receive in the report', async () => {
    expect(report.certificate?.sha256).toBe(await shownToBrowsers());
  });

  it('prints a certificate that was renewed after the first boot in the report', async () => {
    expect(await run('landfall tls renew --force')).toMatchObject({ exitCode: 0 });
    const { stdout } = await run('landfall report --json');
    const { certificate } = reportSchema.parse(JSON.parse(stdout));
    expect(certificate?.sha256).not.toBe(report.certificate?.sha256);
    await expect.poll(shownToBrowsers, { timeout: 60_000 }).toBe(certificate?.sha256);
  });

  it('prints the addresses of the server and the URLs of its components in the report', () => {
    const { v4, v6 } = premises().host.addresses;
    expect(report).toMatchObject({
      addresses: { v4: [v4], v6: [v6], public: null },
      urls: [{ url: 'https://chat.example.com/' }],
      ssh: { command: `ssh ops@${v4}` },
      records: [{ name: 'chat.example.com', type: 'A', value: v4 }],
    });
  });

  it('prints the duration of every stage and the current firewall in the report', async () => {
    const { stages } = (await premises().status()) ?? { stages: [] };
    const before = stages.map(({ name }) => name).filter((name) => name !== 'report');
    expect(report.stages.map(({ name }) => name)).toEqual(expect.arrayContaining(before));
    expect(report.firewall[0]).toBe('Status: active');
  });

  it('used less memory than its limit', () => {
    expect(report.peakMemory).toBeLessThan(maxMemory);
  });

  it('shows the next steps at login', async () => {
    const { v4 } = premises().host.addresses;
    const login =
      'ssh -tt -i /root/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null';
    const { stdout } = await premises().administrator.run(`echo exit | ${login} ops@${v4}`);
    expect(stdout).toContain('sudo landfall credentials');
    expect(stdout).toContain('https://chat.example.com/');
  });

  it('reports that all components are up, to users and to scripts', async () => {
    const ran = await run('landfall status');
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/now: all components are up: engine, ui, /),
    });
    const { state, parts } = JSON.parse((await run('landfall status --json')).stdout);
    expect(state).toBe('done');
    expect(parts).toContainEqual({ name: 'gateway', state: 'running', health: 'healthy' });
  });

  it('released port 80 to the gateway', async () => {
    expect((await run('systemctl is-active landfall-page.socket')).stdout).toBe('inactive\n');
    const { v4 } = premises().host.addresses;
    expect((await premises().administrator.fetch(`http://${v4}/`)).body).not.toContain(
      'being set up',
    );
  });
}
