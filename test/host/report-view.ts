import { expect, it } from 'vitest';
import { type Report, reportSchema } from '../../appliance/report/report.ts';
import type { Premises } from './premises.ts';

/** Most that the program may take. Bytes. */
const mostMemory = 150e6;

/** Tests that what a server says about itself is what its owner finds from outside. */
export function itReportsWhatIsTrue(premises: () => Premises): void {
  const read = async (): Promise<Report> => {
    const { stdout } = await premises().asOwner('sudo -n landfall report --json');
    return reportSchema.parse(JSON.parse(stdout));
  };
  const ask = async (command: string) => (await premises().owner.run(command)).stdout.trim();

  it('has the key that SSH shows', async () => {
    const { v4 } = premises().host.addresses;
    const shown = await ask(`ssh-keyscan -t ed25519 ${v4} 2>/dev/null | ssh-keygen -l -f -`);
    expect((await read()).ssh.fingerprints).toContain(`ED25519 ${shown.split(' ')[1]}`);
  });

  it('has the certificate that browsers are shown', async () => {
    const shown = await ask(
      'openssl s_client -connect chat.example.com:443 -servername chat.example.com </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256',
    );
    expect((await read()).certificate?.sha256).toBe(shown.split('=')[1]);
  });

  it('has the addresses of the server, and where its parts are', async () => {
    const { v4, v6 } = premises().host.addresses;
    expect(await read()).toMatchObject({
      addresses: { v4: [v4], v6: [v6], public: null },
      urls: [{ url: 'https://chat.example.com/' }],
      ssh: { command: `ssh ops@${v4}` },
      records: [{ name: 'chat.example.com', type: 'A', value: v4 }],
    });
  });

  it('has a time for every stage, and the firewall as it is', async () => {
    const report = await read();
    const { stages } = (await premises().status()) ?? { stages: [] };
    const before = stages.map(({ name }) => name).filter((name) => name !== 'report');
    expect(report.stages.map(({ name }) => name)).toEqual(expect.arrayContaining(before));
    expect(report.firewall[0]).toBe('Status: active');
  });

  it('took less memory than it may', async () => {
    expect((await read()).peakMemory).toBeLessThan(mostMemory);
  });

  it('greets who logs in with what to do next', async () => {
    const { v4 } = premises().host.addresses;
    const login = `ssh -tt -i /root/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null`;
    const shown = await ask(`echo exit | ${login} ops@${v4}`);
    expect(shown).toContain('sudo landfall credentials');
    expect(shown).toContain('https://chat.example.com/');
  });

  it('says that all is up', async () => {
    const ran = await premises().asOwner('landfall status');
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('all is up') });
  });

  it('gave port 80 to the gateway', async () => {
    expect(await premises().host.run('systemctl is-active landfall-page.socket')).toMatchObject({
      stdout: 'inactive\n',
    });
    const { v4 } = premises().host.addresses;
    expect((await premises().owner.fetch(`http://${v4}/`)).body).not.toContain('being set up');
  });
}
