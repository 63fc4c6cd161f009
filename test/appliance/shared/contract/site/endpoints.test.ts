import { describe, expect, it } from 'vitest';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { siteSchema } from '#contract/site/site.ts';

const site = (fields: object = {}) =>
  siteSchema.parse({
    release: ['https://example.org/r/'],
    admin: { user: 'ops', ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
    ...fields,
  });

describe('the URL of a component', () => {
  it('returns the URL of a component as its host name at the gateway', () => {
    const hosts = { relay: 'api.example.com' };
    expect(urlOf(site({ hosts }), 'relay')).toBe('https://api.example.com');
    expect(urlOf(site({ hosts, tls: { mode: 'off' } }), 'relay')).toBe('http://api.example.com');
  });

  it('returns no URL for a disabled component, or one without a host name', () => {
    const hosts = { ui: 'chat.example.com', lobe: 'lobe.example.com' };
    expect(urlOf(site({ hosts }), 'lobe')).toBeUndefined();
    expect(urlOf(site({ hosts }), 'tinyproxy')).toBeUndefined();
  });

  it('returns the address as the URL of the chat UI of a site without host names', () => {
    expect(urlOf(site(), 'ui', '2001:db8::5')).toBe('https://[2001:db8::5]');
    expect(urlOf(site(), 'docs', '203.0.113.5')).toBeUndefined();
    expect(
      urlOf(site({ hosts: { docs: 'docs.example.com' } }), 'ui', '203.0.113.5'),
    ).toBeUndefined();
  });
});

describe('the tunnel to a component', () => {
  it('uses the loopback address of the client, regardless of its SSH configuration', () => {
    const tunnel = tunnelTo(site({ ports: { ui: 4000 } }), 'ui', ['ssh', '-p', '22', 'ops@a']);
    expect(tunnel).toEqual({
      command: 'ssh -N -L 127.0.0.1:4000:127.0.0.1:4000 -p 22 ops@a',
      url: 'http://127.0.0.1:4000',
    });
  });

  // Pages for strangers contained the name of the administrator's account.
  it('uses placeholders and a host name of the site without a login', () => {
    const hosts = { docs: 'docs.example.com' };
    expect(tunnelTo(site({ hosts }), 'engine').command).toMatch(/ USER@docs\.example\.com$/);
    expect(tunnelTo(site(), 'engine').command).toMatch(/ USER@SERVER$/);
  });

  it('returns no tunnel to a component without a port', () => {
    expect(tunnelTo(site(), 'acme')).toBeUndefined();
  });
});
