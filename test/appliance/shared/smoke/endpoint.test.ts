import { describe, expect, it } from 'vitest';
import {
  endpointOf,
  gatewayHosts,
  whyNoEndpoint,
} from '../../../../appliance/shared/smoke/endpoint.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';

describe('the endpoint of a component', () => {
  it('returns the host name at the gateway as the endpoint of a component, with TLS', () => {
    const target = outsideTarget({ hosts: { ui: 'chat.example.com' } });
    expect(endpointOf(target, 'ui')).toEqual({
      base: 'https://chat.example.com',
      address: '127.0.0.1',
    });
  });

  it('returns the ports of the gateway in an endpoint, if they are not 80 and 443', () => {
    const gatewayPorts = { http: 8088, https: 8443 };
    const target = { ...outsideTarget({ hosts: { ui: 'chat.example.com' } }), gatewayPorts };
    expect(endpointOf(target, 'ui').ports).toEqual(gatewayPorts);
  });

  it('returns the address of the server for the UI of a site without names', () => {
    const target = { ...outsideTarget(), bareHost: '2001:db8::1' };
    expect(endpointOf(target, 'ui').base).toBe('https://[2001:db8::1]');
    expect(gatewayHosts(target)).toEqual(['2001:db8::1']);
  });

  // Regression: the UI was tested under the relay's name, so such a first boot never succeeded.
  it('returns loopback for the UI of a site with other names only', () => {
    const site = { hosts: { relay: 'api.example.com' } };
    expect(endpointOf(insideTarget(site), 'ui')).toEqual({ base: 'http://127.0.0.1:3000' });
    expect(whyNoEndpoint(outsideTarget(site), 'ui')).toContain('on the server only');
    expect(gatewayHosts(insideTarget(site))).toEqual(['api.example.com']);
  });

  it('returns an endpoint without TLS if the site has none', () => {
    const target = outsideTarget({ hosts: { docs: 'd.example.com' }, tls: { mode: 'off' } });
    expect(endpointOf(target, 'docs').base).toBe('http://d.example.com');
  });

  it('returns no endpoint for a disabled component', () => {
    const target = insideTarget({ hosts: { chat: 'next.example.com' } });
    expect(gatewayHosts(target)).toEqual(['127.0.0.1']);
    expect(whyNoEndpoint(target, 'chat')).toBe('the site has it turned off');
  });

  // Most servers have no host name for it, and its tests never ran there.
  it('returns loopback for documentation without a name', () => {
    expect(endpointOf(insideTarget(), 'docs')).toEqual({ base: 'http://127.0.0.1:8090' });
    expect(whyNoEndpoint(insideTarget(), 'docs')).toBeUndefined();
    expect(whyNoEndpoint(outsideTarget(), 'docs')).toContain('on the server only');
  });

  it('returns no endpoint for a component without a name and a port', () => {
    expect(whyNoEndpoint(insideTarget(), 'acme')).toBe('it has no host name');
  });
});
