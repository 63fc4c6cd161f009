import { describe, expect, it } from 'vitest';
import { checkEngines } from '#contract/site/engines/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { CertificateAuthority } from '../../../../../faulty-server/certificates.ts';

const min = {
  release: ['https://example.org/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
  hosts: { ui: 'chat.example.com' },
};
const ca = new CertificateAuthority().cert;

function parse(nodes: readonly object[]) {
  return siteSchema.safeParse({ ...min, engines: { nodes } });
}

function problemsOf(...nodes: readonly object[]) {
  const named = nodes.map((node, index) => ({ name: `node${index}`, ...node }));
  return checkEngines(siteSchema.parse({ ...min, engines: { nodes: named } }));
}

describe('the nodes of a site', () => {
  it.each([
    { url: 'https://gpu.example.com:11443' },
    { url: 'https://203.0.113.20:11443', ca },
    { url: 'http://10.0.0.9:11434', plain: 'i-understand' },
    { url: 'http://[fd00::9]:11434', plain: 'i-understand' },
  ])('accepts a node with %j', (node) => expect(problemsOf(node)).toEqual([]));

  it('accepts 40 nodes and rejects 41', () => {
    const nodes = Array.from({ length: 41 }, (_, index) => ({
      name: `node${index}`,
      url: `https://node${index}.example.com`,
    }));
    expect(parse(nodes.slice(0, 40)).success).toBe(true);
    expect(parse(nodes).success).toBe(false);
  });

  it.each([
    'http://localhost:11434',
    'http://engine:11434',
    'http://chat.example.com:11434',
    'http://ollama.localhost:11434',
    'http://127.0.0.2:11434',
    'http://0.0.0.0:11434',
    'http://[::1]:11434',
    'http://[::ffff:127.0.0.1]:11434',
  ])('rejects %s as the address of this server', (url) => {
    const [problem] = problemsOf({ url, plain: 'i-understand' });
    expect(problem?.at).toEqual(['engines', 'nodes', 0, 'url']);
    expect(problem?.message).toContain('is that of this server');
  });

  it.each(['169.254.169.254', '100.100.100.200', '[fe80::1]', '[fd00:ec2::254]'])(
    'rejects the metadata address %s',
    (host) => {
      const [problem] = problemsOf({ url: `http://${host}:80`, plain: 'i-understand' });
      expect(problem?.message).toContain('metadata service');
    },
  );

  it('rejects one server under two names, and one name for two servers', () => {
    const url = 'https://gpu.example.com';
    expect(problemsOf({ url }, { url: 'https://GPU.example.com:443/' })).toEqual([
      expect.objectContaining({ at: ['engines', 'nodes', 1, 'url'] }),
    ]);
    expect(problemsOf({ url, name: 'a' }, { url: `${url}:8443`, name: 'a' })).toEqual([
      expect.objectContaining({ at: ['engines', 'nodes', 1, 'name'] }),
    ]);
  });

  it.each([
    [{ url: 'http://10.0.0.9:11434' }, 'plain'],
    [{ url: 'https://gpu.example.com', plain: 'i-understand' }, 'plain'],
    [{ url: 'http://10.0.0.9:11434', plain: 'i-understand', ca }, 'ca'],
    [{ url: 'https://203.0.113.20:11443' }, 'ca'],
  ])('rejects the encryption of %j at %s', (node, field) => {
    expect(problemsOf(node)).toEqual([
      expect.objectContaining({ at: ['engines', 'nodes', 0, field] }),
    ]);
  });

  it.each([
    { name: 'local', url: 'https://gpu.example.com' },
    { name: 'a b', url: 'https://gpu.example.com' },
    { name: 'a', url: 'https://gpu.example.com/v1' },
    { name: 'a', url: 'https://me:pw@gpu.example.com' },
    { name: 'a', url: 'https://gpu.example.com', slots: 0 },
    { name: 'a', url: 'https://gpu.example.com', weight: 257 },
    { name: 'a', url: 'https://gpu.example.com', models: ["x:1' }"] },
    { name: 'a', url: 'https://gpu.example.com', models: ['x:1', 'library/X:1'] },
    { name: 'a', url: 'https://gpu.example.com', ca: 'no certificate' },
  ])('rejects the node %j', (node) => expect(parse([node]).success).toBe(false));
});
