import { describe, expect, it } from 'vitest';
import { findNamesHere } from '../../../appliance/tls/names-here.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

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
  throw new Error('nobody is to be asked');
};

describe('a name without records', () => {
  it('is told the very records to make, of both families', async () => {
    const context = contextFor(serverWith('203.0.114.7', '2a01:4f8::7'));
    const { ready, error } = await findNamesHere(context, ['chat.example.com'], async () => []);
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

  it('is told the address that the provider gave, not the inner one', async () => {
    const host = TemporaryHost.with(
      { 'run/cloud-init/instance-data.json': '{"ds":{"public_ipv4":"203.0.114.9"}}' },
      { 'ip -json address': addresses('10.0.0.5') },
    );
    const { error } = await findNamesHere(contextFor(host), ['a.example.com'], async () => []);
    expect(error?.problems[0]?.hint).toBe('Create the record a.example.com A 203.0.114.9.');
  });

  it('is named with all others, at once', async () => {
    const context = contextFor(serverWith('203.0.114.7'));
    const names = ['a.example.com', 'b.example.com'];
    const { error } = await findNamesHere(context, names, async () => []);
    expect(error?.problems).toHaveLength(2);
    expect(error?.message).toBe('2 host names do not resolve to this server yet');
  });
});

describe('a name that leads nowhere near', () => {
  it('is told from a missing one', async () => {
    const context = contextFor(serverWith('203.0.114.7'));
    // Nobody there has the answer, and on most machines nobody is there.
    const { error } = await findNamesHere(context, ['a.example.com'], async () => ['127.9.8.7']);
    expect(error?.problems).toMatchObject([
      { message: expect.stringMatching(/^a\.example\.com resolves to 127\.9\.8\.7, /) },
    ]);
    expect(error?.problems[0]?.hint).toContain('the record a.example.com A 203.0.114.7');
  });
});

describe('this server, when its own gateway is silent', () => {
  it('is named, not DNS', async () => {
    const context = contextFor(serverWith('127.9.8.7'));
    const { error } = await findNamesHere(context, ['a.example.com'], async () => ['127.9.8.7']);
    expect(error?.problems).toMatchObject([
      { message: expect.stringContaining('its gateway does not respond on port 80') },
    ]);
  });
});

describe('a DNS that does not answer', () => {
  const silent = async () => undefined;

  it('is what is missing on a server with a direct route', async () => {
    const context = contextFor(serverWith('203.0.114.7'));
    const { error } = await findNamesHere(context, ['a.example.com'], silent);
    expect(error?.problems).toMatchObject([
      { message: 'cannot resolve a.example.com: no DNS server responds' },
    ]);
  });

  it('is not needed behind a proxy', async () => {
    const site = { route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890' } };
    const context = contextFor(serverWith('203.0.114.7'), { site });
    expect(await findNamesHere(context, ['a.example.com'], silent)).toEqual({
      ready: ['a.example.com'],
      error: undefined,
    });
  });
});

describe('a bare address', () => {
  it('needs no DNS, and one of the internet that is translated is believed', async () => {
    const context = contextFor(serverWith('10.0.0.5'));
    const found = await findNamesHere(context, ['203.0.114.7'], unasked);
    expect(found).toEqual({ ready: ['203.0.114.7'], error: undefined });
  });

  it('is refused when it is private: no authority of the internet certifies it', async () => {
    const context = contextFor(serverWith('10.0.0.5'));
    const { error } = await findNamesHere(context, ['10.0.0.5'], unasked);
    expect(error?.problems[0]?.message).toContain('not a public address');
  });
});
