import { describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  firewallCheck,
  gatewayCheck,
  portsCheck,
} from '../../../../../appliance/operations/doctor/checks/gateway.ts';
import { Host } from '../../../../../appliance/server/host/host.ts';
import { CertificateAuthority } from '../../../../faulty-server/certificates.ts';
import { sshAnswers } from '../../../answers.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

const answers = vi.hoisted(() => ({ status: 0 }));
// The gateway listens on port 443 of loopback, which a unit test cannot use.
vi.mock('#smoke/exchange.ts', async (original) => ({
  ...(await original<object>()),
  exchange: async () => {
    if (answers.status === 0) throw new Error('connect ECONNREFUSED');
    return { status: answers.status, header: () => undefined, text: '' };
  },
}));

const site = { hosts: { ui: 'chat.example.com' } };

/** @param nginx lines of a failed `nginx -t` */
async function found(status: number, nginx: readonly string[] = [], given: object = site) {
  answers.status = status;
  const host = new Host('/nonexistent', async (_file, args) => {
    if (args.includes('nginx') && nginx.length > 0) {
      const problems = nginx.map((message) => ({ message }));
      throw new LandfallError('COMMAND_FAILED', 'nginx -t failed', { problems });
    }
    return { code: 0, stdout: args.includes('-json') ? '[]' : '', stderr: '' };
  });
  if (gatewayCheck.needs !== 'site') return [];
  const findings = await gatewayCheck.run(contextFor(host, { site: { ...given } }));
  return findings.map(({ code, subject, text }) => [code, subject, text.en]);
}

describe('the check of the gateway', () => {
  it('accepts a page, a redirect and a sign-in', async () => {
    for (const status of [200, 302, 401]) expect(await found(status)).toEqual([]);
  });

  it.each([
    [502, 'GATEWAY_BAD_GATEWAY'],
    [504, 'GATEWAY_BAD_GATEWAY'],
    [403, 'GATEWAY_FORBIDDEN'],
  ])('finds status %i of a configured name', async (status, code) => {
    const text = `https://chat.example.com/ returns status ${status}`;
    expect(await found(status)).toEqual([[code, 'chat.example.com', text]]);
  });

  it('requests no page of an engine node, which has none', async () => {
    const settings = { client_ca: new CertificateAuthority().cert, clients: ['203.0.113.20'] };
    const node = { role: 'engine-node', engine_node: settings };
    expect(await found(403, [], node)).toEqual([]);
  });

  it('finds a gateway that does not answer', async () => {
    expect(await found(0)).toEqual([
      [
        'GATEWAY_DOWN',
        'gateway',
        'the gateway does not answer for chat.example.com: connect ECONNREFUSED',
      ],
    ]);
  });

  it('finds wrong settings while nginx still runs with the previous ones', async () => {
    const emerg = 'nginx: [emerg] unknown directive "nonsense" in /etc/nginx/x.conf:7';
    expect(await found(200, [emerg])).toEqual([
      ['GATEWAY_SETTINGS', 'gateway', 'nginx rejects the settings of the gateway'],
    ]);
  });

  it('leaves a container that is not running to its own finding', async () => {
    expect(await found(200, ['Error: No such container: landfall-gateway'])).toEqual([]);
  });
});

describe('the check of ports', () => {
  it('finds another program on a port of the site', async () => {
    const ss = 'LISTEN 0 5 127.0.0.1:3000 0.0.0.0:* users:(("python3",pid=99,fd=4))\n';
    expect(await look(portsCheck, TemporaryHost.with({}, { ss }))).toEqual([
      ['PORT_USED', '3000', 'port 3000 (ports.ui) is already used by python3 (process 99)'],
    ]);
  });
});

describe('the check of the firewall', () => {
  it('finds a table that is not loaded, and a port that only UFW opens', async () => {
    const rules = ['22/tcp (OpenSSH)', '80/tcp', '443/tcp', '9000/tcp']
      .map((rule) => `${rule.padEnd(27)}ALLOW IN    Anywhere\n`)
      .join('');
    const ufw = `Status: active\nDefault: deny (incoming), allow (outgoing)\n\n${rules}`;
    const host = TemporaryHost.with(
      {},
      { ...sshAnswers, 'ufw status': ufw, nft: 1, getent: 2, ip: '[]' },
    );
    expect(await look(firewallCheck, host)).toEqual([
      ['FIREWALL_DIFFERS', 'firewall', "Landfall's table is not loaded"],
      ['PORT_CLOSED', '9000/tcp', "9000/tcp is open in UFW, but closed in Landfall's table"],
    ]);
  });
});
