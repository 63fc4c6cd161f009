import { beforeAll, expect, it } from 'vitest';
import { type Report, reportSchema } from '../../appliance/report/report.ts';
import type { Premises } from './premises.ts';

/** Most that the program may take. Bytes. */
const mostMemory = 150e6;

/**
 * Tests that what a server says about itself is what others find from outside. SSH lets nobody
 * connect more than some times in half a minute, so the owner logs in only once here.
 */
export function itReportsWhatIsTrue(premises: () => Premises): void {
  const run = (command: string) => premises().host.run(command);
  let report: Report;

  const shownToBrowsers = async () => {
    const asking = '-connect chat.example.com:443 -servername chat.example.com';
    const { stdout } = await premises().owner.run(
      `openssl s_client ${asking} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256`,
    );
    return stdout.trim().split('=')[1];
  };

  beforeAll(async () => {
    const { stdout } = await run('landfall report --json');
    report = reportSchema.parse(JSON.parse(stdout));
  });

  it('has the key that SSH shows', async () => {
    const { cloud, host } = premises();
    const stranger = await cloud.outsider();
    const { stdout } = await stranger.run(
      `ssh-keyscan -t ed25519 ${host.addresses.v4} 2>/dev/null | ssh-keygen -l -f -`,
    );
    expect(report.ssh.fingerprints).toContain(`ED25519 ${stdout.split(' ')[1]}`);
  });

  it('has the certificate that browsers are shown', async () => {
    expect(report.certificate?.sha256).toBe(await shownToBrowsers());
  });

  it('has one that came after the first boot as well', async () => {
    expect(await run('landfall tls renew --force')).toMatchObject({ exitCode: 0 });
    const { stdout } = await run('landfall report --json');
    const { certificate } = reportSchema.parse(JSON.parse(stdout));
    expect(certificate?.sha256).not.toBe(report.certificate?.sha256);
    await expect.poll(shownToBrowsers, { timeout: 60_000 }).toBe(certificate?.sha256);
  });

  it('has the addresses of the server, and where its parts are', () => {
    const { v4, v6 } = premises().host.addresses;
    expect(report).toMatchObject({
      addresses: { v4: [v4], v6: [v6], public: null },
      urls: [{ url: 'https://chat.example.com/' }],
      ssh: { command: `ssh ops@${v4}` },
      records: [{ name: 'chat.example.com', type: 'A', value: v4 }],
    });
  });

  it('has a time for every stage, and the firewall as it is', async () => {
    const { stages } = (await premises().status()) ?? { stages: [] };
    const before = stages.map(({ name }) => name).filter((name) => name !== 'report');
    expect(report.stages.map(({ name }) => name)).toEqual(expect.arrayContaining(before));
    expect(report.firewall[0]).toBe('Status: active');
  });

  it('took less memory than it may', () => {
    expect(report.peakMemory).toBeLessThan(mostMemory);
  });

  it('greets who logs in with what to do next', async () => {
    const { v4 } = premises().host.addresses;
    const login =
      'ssh -tt -i /root/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null';
    const { stdout } = await premises().owner.run(`echo exit | ${login} ops@${v4}`);
    expect(stdout).toContain('sudo landfall credentials');
    expect(stdout).toContain('https://chat.example.com/');
  });

  it('says that all parts are up, to people and to scripts', async () => {
    const ran = await run('landfall status');
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/now: all components are up: engine, ui, /),
    });
    const { state, parts } = JSON.parse((await run('landfall status --json')).stdout);
    expect(state).toBe('done');
    expect(parts).toContainEqual({ name: 'gateway', state: 'running', health: 'healthy' });
  });

  it('gave port 80 to the gateway', async () => {
    expect((await run('systemctl is-active landfall-page.socket')).stdout).toBe('inactive\n');
    const { v4 } = premises().host.addresses;
    expect((await premises().owner.fetch(`http://${v4}/`)).body).not.toContain('being set up');
  });
}
