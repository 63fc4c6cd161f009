import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { Pebble } from '../../integration/acme/pebble.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { hostNeeds } from '../host-needs.ts';
import { chatName, chatUrl } from './first-booted.ts';
import { HostBundle } from './host-bundle.ts';
import { Premises } from './premises.ts';

const given = hostNeeds('debian13', 'serverBundle', 'pebble', 'lego');
const authorityName = 'acme.example.com';

given.describe('a server without IPv4, from a full bundle', () => {
  let premises: Premises;
  let pebble: Pebble;
  let status: Status;

  beforeAll(async () => {
    const { dependencies, serverBundle, pebble: packages } = given;
    premises = await Premises.open({
      ...{ dependencies, distribution: 'debian13', ipv6Only: true },
      bundle: await HostBundle.copy(serverBundle, await workFolder()),
      site: async ({ network, names }) => {
        const { v4, v6 } = network.gateway;
        pebble = await Pebble.start(packages, v4, { name: authorityName });
        const { port } = new URL(pebble.directory);
        await network.overIPv6(`https://${v4}:${port}`);
        names.set(authorityName, { v6 });
        return {
          admin: { email: 'ops@example.org' },
          hosts: { ui: chatName },
          tls: {
            ...{ mode: 'acme', accept_terms: true },
            server: { url: pebble.directory, ca: pebble.ca },
          },
        };
      },
    });
    await pebble.setRecord(chatName, [premises.host.addresses.v6]);
    status = await premises.comeUp();
  });
  afterAll(async () => {
    await premises?.close();
    await pebble?.stop();
  });

  it('comes up without a warning of a stage, and without an IPv4 address', async () => {
    const { host } = premises;
    expect(await host.output('ip -4 -brief address show dev eth0')).not.toContain('10.');
    expect(status.stages.map(({ state }) => state)).not.toContain('failed');
    expect(await host.output('systemctl --failed --plain --no-legend')).toBe('');
  });

  it('passes its smoke tests', async () => {
    const { stdout } = await premises.host.run('landfall smoke --json');
    const results: SmokeResult[] = JSON.parse(stdout);
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(10);
  });

  it('gets a certificate of the authority, and answers over IPv6', async () => {
    const { administrator, host } = premises;
    await administrator.run(['sh', '-c', 'cat >/root/root.pem'], { input: await pebble.root() });
    await host.waitFor('landfall tls status --json | grep -q \'"issuer": .*Pebble\'', 120);
    const options = ['--cacert', '/root/root.pem', '-6'];
    expect(await administrator.fetch(chatUrl, options)).toMatchObject({ status: 200 });
  });

  it('lets its administrator log in, who reads where the chat is', async () => {
    const { administrator, host } = premises;
    const login = { user: 'ops', host: host.addresses.v6, command: 'landfall report' };
    const { stdout } = await administrator.ssh(login);
    expect(stdout).toContain(chatUrl);
    expect(stdout).toContain(`ssh ops@${host.addresses.v6}`);
  });

  describe('at another port of HTTPS', () => {
    const moved = `https://${chatName}:8443/`;
    const probed = [22, 80, 443, 8443];
    const open = async () => {
      const stranger = await premises.cloud.outsider();
      const seen = await stranger.ports(premises.host.addresses.v6, probed);
      return probed.filter((port) => seen[port] === 'open');
    };

    it('moves the chat, its firewall and what is printed', async () => {
      const { administrator, host } = premises;
      expect(await host.run('landfall site set hosts.port 8443 --yes')).toMatchObject({
        exitCode: 0,
      });
      const options = ['--cacert', '/root/root.pem'];
      expect(await administrator.fetch(moved, options)).toMatchObject({ status: 200 });
      expect(await open()).toEqual([22, 80, 8443]);
      expect(await host.output('landfall report')).toContain(moved);
      const redirect = await administrator.fetch(`http://${chatName}/`, [
        '-o',
        '/dev/null',
        '-D',
        '-',
      ]);
      expect(redirect.body).toMatch(new RegExp(`^location: ${moved}\\s*$`, 'im'));
      const { stdout } = await host.run('landfall smoke --json');
      const results: SmokeResult[] = JSON.parse(stdout);
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    });

    it('closes port 80, without an authority that needs it', async () => {
      const { administrator, host } = premises;
      await host.put(
        '/root/site.py',
        `import re, sys
text = open('/etc/landfall/site.yaml').read()
text = re.sub(r'(?ms)^tls:.*?(?=^\\S|\\Z)', 'tls: { mode: internal }\\n', text)
open('/root/site.yaml', 'w').write(re.sub(r'(?m)^( *)port: 8443', r'\\1port: 8443\\n\\1http: false', text))
`,
      );
      await host.output('python3 /root/site.py');
      const ran = await host.run('landfall site apply /root/site.yaml --yes 2>&1', { limit: 900 });
      expect(ran).toMatchObject({ exitCode: 0 });
      expect(await open()).toEqual([22, 8443]);
      expect(await administrator.fetch(moved)).toMatchObject({ status: 200 });
      expect(await host.run('landfall smoke')).toMatchObject({ exitCode: 0 });
    });
  });
});
