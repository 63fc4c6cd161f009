import { describe, expect, it } from 'vitest';
import { findNamesHere } from '../../../../appliance/stages/tls/resolve-hosts.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const addresses = (...locals: string[]) =>
  JSON.stringify([
    {
      ifname: 'eth0',
      addr_info: locals.map((local) => ({ family: local.includes(':') ? 'inet6' : 'inet', local })),
    },
  ]);

const serverWith = (...locals: string[]) =>
  TemporaryHost.with({}, { 'ip -json address': addresses(...locals) });

const unasked = async () => {
  throw new Error('unexpected lookup');
};

describe('a name without records', () => {
  it('gets a hint with the records of both address families', async () => {
    const context = contextFor(serverWith('203.0.114.7', '2a01:4f8::7'));
    const found = await findNamesHere(context, ['chat.example.com'], async () => []);
    const { ready, error } = found;
    expect(found.missing).toEqual([
      { name: 'chat.example.com', type: 'A', value: '203.0.114.7' },
      { name: 'chat.example.com', type: 'AAAA', value: '2a01:4f8::7' },
    ]);
    expect(ready).toEqual([]);
    expect(error).toMatchObject({
      code: 'TLS_NAME',
      problems: [
        {
          message: 'chat.example.com has no A or AAAA record',
          hint: 'Create the record chat.example.com A 203.0.114.7 and chat.example.com AAAA 2a01:4f8::7.',
        },
      ],
    });
  });

  it("gets a hint with the provider's public address, not the private one", async () => {
    const host = TemporaryHost.with(
      { 'run/cloud-init/instance-data.json': '{"ds":{"public_ipv4":"203.0.114.9"}}' },
      { 'ip -json address': addresses('10.0.0.5') },
    );
    const { error } = await findNamesHere(contextFor(host), ['a.example.com'], async () => []);
    expect(error?.problems[0]?.hint).toBe('Create the record a.example.com A 203.0.114.9.');
  });

  it('reports a name without records together with all others', async () => {
    const context = contextFor(serverWith('203.0.114.7'));
    const names = ['a.example.com', 'b.example.com'];
    const { error } = await findNamesHere(context, names, async () => []);
    expect(error?.problems).toHaveLength(2);
    expect(error?.message).toBe('2 host names do not resolve to this server yet');
  });
});

describe('a name that resolves to another address', () => {
  it('reports another error for a name at another address than for a missing name', async () => {
    const context = contextFor(serverWith('203.0.114.7'));
    // No server at this address returns the token. On most machines none listens there.
    const { error } = await findNamesHere(context, ['a.example.com'], async () => ['127.9.8.7']);
    expect(error?.problems).toMatchObject([
      { message: expect.stringMatching(/^a\.example\.com resolves to 127\.9\.8\.7, /) },
    ]);
    expect(error?.problems[0]?.hint).toContain('the record a.example.com A 203.0.114.7');
  });
});

describe('a server behind NAT whose public address is not known', () => {
  const name = 'a.example.com';
  const behindNat = (site = {}) => contextFor(serverWith('10.0.0.5'), { site });

  it('names the ports that the router must forward, not a record with the private address', async () => {
    const context = behindNat({ hosts: { ui: name, port: 8443 } });
    const { error, missing } = await findNamesHere(context, [name], async () => ['127.9.8.7']);
    expect(error?.problems[0]?.message).toContain('behind NAT, with the private address 10.0.0.5');
    expect(error?.problems[0]?.hint).toContain(
      'let it forward the TCP ports 80, 8443 to 10.0.0.5, and run: sudo landfall tls renew --force',
    );
    expect(missing).toEqual([]);
  });

  it('asks for a record with the public address for a name without records', async () => {
    const { missing } = await findNamesHere(behindNat(), [name], async () => []);
    expect(missing).toEqual([{ name, type: 'A', value: undefined }]);
  });

  it('accepts a record of a private address for an authority of the administrator', async () => {
    const site = {
      tls: { mode: 'acme', server: { url: 'https://ca.internal/dir' }, accept_terms: true },
    };
    const { missing } = await findNamesHere(behindNat(site), [name], async () => []);
    expect(missing).toEqual([{ name, type: 'A', value: '10.0.0.5' }]);
  });
});

describe('a server whose gateway does not respond', () => {
  it('reports a gateway that does not respond instead of DNS', async () => {
    const context = contextFor(serverWith('127.9.8.7'));
    const { error } = await findNamesHere(context, ['a.example.com'], async () => ['127.9.8.7']);
    expect(error?.problems).toMatchObject([
      { message: expect.stringContaining('its gateway does not respond on port 80') },
    ]);
  });
});

describe('a DNS server that does not respond', () => {
  const silent = async () => undefined;

  it('reports a DNS server that does not respond on a server with a direct route', async () => {
    const context = contextFor(serverWith('203.0.114.7'));
    const { error } = await findNamesHere(context, ['a.example.com'], silent);
    expect(error?.problems).toMatchObject([
      { message: 'cannot resolve a.example.com: no DNS server responds' },
    ]);
  });

  it('ignores a DNS server that does not respond behind a proxy', async () => {
    const site = { route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890' } };
    const context = contextFor(serverWith('203.0.114.7'), { site });
    expect(await findNamesHere(context, ['a.example.com'], silent)).toEqual({
      ready: ['a.example.com'],
      error: undefined,
      missing: [],
    });
  });
});

describe('a bare address', () => {
  it('needs no DNS, and a public one behind NAT is accepted', async () => {
    const context = contextFor(serverWith('10.0.0.5'));
    const found = await findNamesHere(context, ['203.0.114.7'], unasked);
    expect(found).toEqual({ ready: ['203.0.114.7'], error: undefined, missing: [] });
  });

  it('rejects a private bare address, because no public authority certifies it', async () => {
    const context = contextFor(serverWith('10.0.0.5'));
    const { error } = await findNamesHere(context, ['10.0.0.5'], unasked);
    expect(error?.problems[0]?.message).toContain('not a public address');
  });
});
