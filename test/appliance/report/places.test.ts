import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { recordsOf, tunnelsOf, urlsOf } from '../../../appliance/report/places.ts';
import { smallSite } from '../context.ts';

const site = (parts: object) => siteSchema.parse({ ...smallSite, ...parts });
const login = ['ssh', 'ops@203.0.113.5'];
const named = site({
  hosts: { ui: 'chat.example.com', relay: 'api.example.com', lobe: 'lobe.example.com' },
  tls: { mode: 'acme', accept_terms: true },
});

describe('what answers from outside', () => {
  it('is under its names, but for what is off', () => {
    expect(urlsOf(named, '203.0.113.5')).toEqual([
      { part: 'chat UI', url: 'https://chat.example.com/' },
      { part: 'relay for API clients', url: 'https://api.example.com/' },
    ]);
  });

  it('is the UI under the address where there is no name', () => {
    expect(urlsOf(smallSite, '203.0.113.5')).toEqual([
      { part: 'chat UI', url: 'https://203.0.113.5/' },
    ]);
    expect(urlsOf(smallSite, '2001:db8::5')[0]?.url).toBe('https://[2001:db8::5]/');
  });

  it('is plain http where the site turned TLS off', () => {
    expect(urlsOf(site({ tls: { mode: 'off' } }), '203.0.113.5')[0]?.url).toBe(
      'http://203.0.113.5/',
    );
  });
});

describe('what has no name', () => {
  it('is reached through a tunnel to its port', () => {
    expect(tunnelsOf(named, login)).toEqual([
      {
        part: 'HTTP proxy',
        command: 'ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5',
        url: 'http://127.0.0.1:8888/',
      },
    ]);
  });

  it('has the port of the site, and SSH that of the server', () => {
    const other = site({
      hosts: { docs: 'docs.example.com' },
      ports: { ui: 4000 },
      components: { chat: true },
      tls: { mode: 'internal' },
    });
    const tunnels = tunnelsOf(other, ['ssh', '-p', '2222', 'ops@203.0.113.5']);
    expect(tunnels.map(({ command }) => command)).toEqual([
      'ssh -N -L 127.0.0.1:4000:127.0.0.1:4000 -p 2222 ops@203.0.113.5',
      'ssh -N -L 127.0.0.1:3001:127.0.0.1:3001 -p 2222 ops@203.0.113.5',
      'ssh -N -L 127.0.0.1:8080:127.0.0.1:8080 -p 2222 ops@203.0.113.5',
      'ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 -p 2222 ops@203.0.113.5',
    ]);
  });

  // The report offered a tunnel to the UI that it had just said to open under the address.
  it('is not the UI where that answers under the address', () => {
    expect(tunnelsOf(smallSite, login).map(({ part }) => part)).toEqual(['HTTP proxy']);
  });

  // The report named a tunnel to a relay that this site does not run.
  it('is the relay only where the site has work for it', () => {
    const partsOf = (parts: object) => tunnelsOf(site(parts), login).map(({ part }) => part);
    const openai = { base_url: 'https://api.openai.com/v1' };
    expect(partsOf({})).not.toContain('relay for API clients');
    expect(partsOf({ providers: { openai } })).toContain('relay for API clients');
  });

  it('never is the engine: whoever reaches that needs no password', () => {
    expect(JSON.stringify(tunnelsOf(smallSite, login))).not.toContain('11434');
  });
});

describe('the DNS entries', () => {
  it('are one of each kind for each name', () => {
    expect(recordsOf(named, '203.0.113.5', '2001:db8::5')).toEqual([
      { name: 'chat.example.com', type: 'A', value: '203.0.113.5' },
      { name: 'chat.example.com', type: 'AAAA', value: '2001:db8::5' },
      { name: 'api.example.com', type: 'A', value: '203.0.113.5' },
      { name: 'api.example.com', type: 'AAAA', value: '2001:db8::5' },
    ]);
  });

  it('are only of the kinds that the server has', () => {
    expect(recordsOf(named, '203.0.113.5', undefined).map(({ type }) => type)).toEqual(['A', 'A']);
    expect(recordsOf(named, undefined, undefined)).toEqual([]);
  });

  it('name a host once that serves two parts', () => {
    const shared = site({ hosts: { ui: 'one.example.com', docs: 'one.example.com' } });
    expect(recordsOf(shared, '203.0.113.5', undefined)).toHaveLength(1);
  });

  it('are none where the site has no names', () => {
    expect(recordsOf(smallSite, '203.0.113.5', '2001:db8::5')).toEqual([]);
  });
});
