import { describe, expect, it } from 'vitest';
import {
  renderCaptureUnit,
  renderClientDropIn,
} from '../../../../../appliance/stages/route/capture/files.ts';
import { capture } from '../../../../../appliance/stages/route/capture/names.ts';
import {
  renderCandidateOverlay,
  renderCaptureTable,
  renderOff,
  renderOn,
  renderOverlay,
} from '../../../../../appliance/stages/route/capture/render.ts';
import { clientAddress } from '../../../../../appliance/stages/route/client/render.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const resolvers = { ownResolver: '192.0.2.53', farResolver: '1.1.1.1' };

describe('the rules of a capture', () => {
  it('jump over the rules of the client for marked packets and open UDP ports', () => {
    const host = TemporaryHost.with({});
    const text = renderOn(host, [
      { protocol: 'udp', first: 6000, last: 6010 },
      { protocol: 'tcp', first: 8443, last: 8443 },
      { protocol: 'udp', first: 443, last: 443 },
    ]);
    expect(text).toContain('for port in 443 6000-6010; do');
    expect(text).toContain('add $family 8000 fwmark 0x10000000/0x10000000 goto 9999');
  });

  it('removes the rules of a capture with those of a killed client', () => {
    const text = renderOff(TemporaryHost.with({}));
    expect(text).toMatch(/for pref in 9000 9001 .* 9010 8000 8001 9999; do/);
    expect(text).toContain('route flush table 2022');
    expect(text).toContain('nft delete table inet landfall_route');
  });
});

describe('the table of a capture', () => {
  it('rejects in both closed chains, after replies and marked packets are accepted', () => {
    const text = renderCaptureTable(true);
    const [, host = ''] = /chain host_closed \{([^}]*\}[^}]*\}[^}]*\}[^}]*)\}/.exec(text) ?? [];
    expect(host.indexOf('ct direction reply accept')).toBeLessThan(host.indexOf('reject'));
    expect(host.indexOf('meta mark & 0x10000000 == 0x10000000 accept')).toBeGreaterThan(0);
    expect(text.match(/counter reject with icmpx admin-prohibited/g)).toHaveLength(2);
  });

  it('uses no wildcard in a set of the capture table, which nft 1.0.2 does not support', () => {
    expect(renderCaptureTable(true)).not.toMatch(/\{[^}\n]*\*[^}\n]*\}/);
  });
});

describe('the settings of a capturing client', () => {
  it('apply to the TUN interface only, so containers reach no private network over HTTP', () => {
    const { route, inbounds } = JSON.parse(renderOverlay({ ...resolvers, hasIPv6: true }));
    expect(route.rules.map(({ inbound }: { inbound: string }) => inbound)).toEqual([
      ...['capture', 'capture', 'capture'],
    ]);
    expect(inbounds[0]).toMatchObject({ type: 'tun', tag: 'capture', strict_route: false });
    expect(route.default_mark).toBe(0x1000_0000);
  });

  it('sets no IPv6 address for a capturing client on a server without IPv6', () => {
    const { inbounds } = JSON.parse(renderOverlay({ ...resolvers, hasIPv6: false }));
    expect(inbounds[0].address).toEqual(['198.19.255.1/30']);
    expect(clientAddress[0]).not.toContain('198.19.255.');
  });

  it('mark the connections of a candidate, which has no TUN interface', () => {
    const { route, inbounds } = JSON.parse(renderCandidateOverlay(resolvers));
    expect([route.default_mark, inbounds]).toEqual([0x1000_0000, undefined]);
  });
});

describe('the units of a capture', () => {
  it('give the client one capability and one device, and its settings priority', () => {
    const text = renderClientDropIn();
    expect(text).toContain(
      'CapabilityBoundingSet=CAP_NET_ADMIN\nAmbientCapabilities=CAP_NET_ADMIN',
    );
    expect(text).toContain('DeviceAllow=/dev/net/tun rw');
    expect(text).toContain(
      `LoadCredential=capture.json:/${capture.overlay('active').replace('active', '%i')}`,
    );
    // sing-box sorts the files by name, and the first one wins.
    expect(['config.json', 'capture.json'].sort()[0]).toBe('capture.json');
    expect(text).toMatch(/^ExecStart=\nExecStart=/m);
  });

  it('keep the rules while the client is stopped and until the machine is off', () => {
    expect(renderClientDropIn()).toContain('Requires=landfall-capture.service');
    expect(renderCaptureUnit()).not.toMatch(/^(Conflicts|BindsTo|PartOf)=/m);
    expect(renderCaptureUnit()).toContain('ConditionPathExists=/etc/landfall/route/capture/on.sh');
  });
});
