import { describe, expect, it } from 'vitest';
import { gatewayHosts, placeOf, whyNoPlace } from '../../../appliance/smoke/place.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';

describe('where a part answers', () => {
  it('is its host name, at the gateway, over TLS', () => {
    const target = outsideTarget({ hosts: { ui: 'chat.example.com' } });
    expect(placeOf(target, 'ui')).toEqual({
      base: 'https://chat.example.com',
      address: '127.0.0.1',
    });
  });

  it('is the bare address for the UI of a site without any name', () => {
    const target = { ...outsideTarget(), bareHost: '2001:db8::1' };
    expect(placeOf(target, 'ui').base).toBe('https://[2001:db8::1]');
    expect(gatewayHosts(target)).toEqual(['2001:db8::1']);
  });

  // The UI was asked for under the relay's name, and no first boot of such a site ended well.
  it('is loopback for the UI of a site that names something else only', () => {
    const site = { hosts: { relay: 'api.example.com' } };
    expect(placeOf(insideTarget(site), 'ui')).toEqual({ base: 'http://127.0.0.1:3000' });
    expect(whyNoPlace(outsideTarget(site), 'ui')).toContain('only on the server');
    expect(gatewayHosts(insideTarget(site))).toEqual(['api.example.com']);
  });

  it('has no TLS where the site has none', () => {
    const target = outsideTarget({ hosts: { docs: 'd.example.com' }, tls: { mode: 'off' } });
    expect(placeOf(target, 'docs').base).toBe('http://d.example.com');
  });

  it('is no name of a part that is off', () => {
    const target = insideTarget({ hosts: { chat: 'next.example.com' } });
    expect(gatewayHosts(target)).toEqual(['127.0.0.1']);
    expect(whyNoPlace(target, 'chat')).toBe('the site has it turned off');
  });

  it('is nowhere for documentation without a name', () => {
    expect(whyNoPlace(insideTarget(), 'docs')).toBe('it has no host name');
  });
});
