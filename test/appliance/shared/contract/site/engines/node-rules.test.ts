import { describe, expect, it } from 'vitest';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { CertificateAuthority } from '../../../../../faulty-server/certificates.ts';

const min = {
  release: ['https://example.org/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
};
const client_ca = new CertificateAuthority().cert;
const node = { role: 'engine-node', engine_node: { client_ca, clients: ['203.0.113.10'] } };

function problemsOf(site: object) {
  return checkSite(siteSchema.parse({ ...min, ...site })).map(({ at }) => at.join('.'));
}

describe('the site of an engine node', () => {
  it('accepts the authority and the address of the first server', () => {
    expect(problemsOf(node)).toEqual([]);
    expect(
      problemsOf({ ...node, models: ['qwen3:8b'], firewall: { allow: ['9100/tcp'] } }),
    ).toEqual([]);
    expect(siteSchema.parse({ ...min, ...node }).engine_node?.slots).toBe(1);
  });

  it('needs nothing but its role for a Swarm, and else both fields of the first server', () => {
    expect(problemsOf({ role: 'engine-node' })).toEqual([]);
    const { client_ca, clients } = node.engine_node;
    expect(problemsOf({ ...node, engine_node: { client_ca } })).toEqual(['engine_node.clients']);
    expect(problemsOf({ ...node, engine_node: { clients } })).toEqual(['engine_node.client_ca']);
    expect(problemsOf({ engine_node: node.engine_node })).toEqual(['engine_node']);
  });

  it.each([
    ['hosts', { hosts: { ui: 'chat.example.com' } }],
    ['components', { components: { chat: true } }],
    ['providers', { providers: { openai: { base_url: 'https://api.openai.com/v1' } } }],
    ['hub', { hub: { base_url: 'https://hub.example.com' } }],
    ['relay', { relay: { local: true } }],
    ['relay', { relay: { keys: ['phone'] } }],
    ['backup', { backup: { to: [{ kind: 'folder', path: '/mnt/backup' }] } }],
    ['engines', { engines: { nodes: [{ name: 'gpu1', url: 'https://gpu1.example.com' }] } }],
    ['models', { models: [] }],
    ['tls.mode', { tls: { mode: 'custom' } }],
  ])('rejects %s, which it does not use: %j', (field, more) =>
    expect(problemsOf({ ...node, ...more })).toContain(field),
  );

  it.each([
    ['no client', { client_ca, clients: [] }],
    ['a network without a bound', { client_ca, clients: ['0.0.0.0/0'] }],
    ['a host name', { client_ca, clients: ['first.example.com'] }],
    ['a private key', { client_ca: '-----BEGIN PRIVATE KEY-----', clients: ['203.0.113.10'] }],
    [
      'a certificate that is no authority',
      {
        client_ca: new CertificateAuthority().issue().cert,
        clients: ['203.0.113.10'],
      },
    ],
    ['65 slots', { ...node.engine_node, slots: 65 }],
  ])('rejects %s', (_what, engine_node) => {
    expect(siteSchema.safeParse({ ...min, role: 'engine-node', engine_node }).success).toBe(false);
  });

  it('accepts openings beside the port for its clients', () => {
    const allow = ['8443/tcp', '11443/udp', '11444-12000/tcp'];
    expect(problemsOf({ ...node, firewall: { allow } })).toEqual([]);
  });

  it.each(['11443/tcp', '11000:12000/tcp'])(
    'rejects %s in firewall.allow, which would open the port for everyone',
    (text) =>
      expect(problemsOf({ ...node, firewall: { allow: [text] } })).toEqual(['firewall.allow']),
  );
});
