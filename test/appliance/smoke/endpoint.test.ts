import { describe, expect, it } from 'vitest';
import { endpointOf, gatewayHosts, whyNoEndpoint } from '../../../appliance/smoke/endpoint.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';

describe('where a part answers', () => {
  it('is its host name, at the gateway, over TLS', () => {
    const target = outsideTarget({ hosts: { ui: 'chat.example.com' } });
    expect(endpointOf(target, 'ui')).toEqual({
      base: 'https://chat.example.com',
      address: '127.0.0.1',
    });
  });

  it('is the bare address for the UI of a site without any name', () => {
    const target = { ...outsideTarget(), bareHost: '2001:db8::1' };
    expect(endpointOf(target, 'ui').base).toBe('https://[2001:db8::1]');
    expect(gatewayHosts(target)).toEqual(['2001:db8::1']);
  });

  // The UI was asked for under the relay's name, and no first boot of such a site ended well.
  it('is loopback for the UI of a site that names something else only', () => {
    const site = { hosts: { relay: 'api.example.com' } };
    expect(endpointOf(insideTarget(site), 'ui')).toEqual({ base: 'http://127.0.0.1:3000' });
    expect(whyNoEndpoint(outsideTarget(site), 'ui')).toContain('on the server only');
    expect(gatewayHosts(insideTarget(site))).toEqual(['api.example.com']);
  });

  it('has no TLS where the site has none', () => {
    const target = outsideTarget({ hosts: { docs: 'd.example.com' }, tls: { mode: 'off' } });
    expect(endpointOf(target, 'docs').base).toBe('http://d.example.com');
  });

  it('is no name of a part that is off', () => {
    const target = insideTarget({ hosts: { chat: 'next.example.com' } });
    expect(gatewayHosts(target)).toEqual(['127.0.0.1']);
    expect(whyNoEndpoint(target, 'chat')).toBe('the site has it turned off');
  });

  it('is nowhere for documentation without a name', () => {
    expect(whyNoEndpoint(insideTarget(), 'docs')).toBe('it has no host name');
  });
});
