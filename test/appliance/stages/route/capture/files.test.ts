import { describe, expect, it } from 'vitest';
import { clientResolvers } from '../../../../../appliance/stages/route/capture/files.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const stub = { 'etc/resolv.conf': 'nameserver 127.0.0.53\n' };
const dnsOf = (...nameserver: string[]) => ({ dns: { nameserver, search: [], tls: false } });

describe('the DNS servers of a capturing client', () => {
  it('avoids systemd-resolved for a capturing client: its queries enter the TUN interface', async () => {
    const host = TemporaryHost.with({
      ...stub,
      'run/systemd/resolve/resolv.conf': 'nameserver 10.0.0.2\nsearch corp.example\n',
    });
    expect(await clientResolvers(host, { dns: undefined })).toEqual({
      ...{ ownResolver: '10.0.0.2', farResolver: '1.1.1.1' },
    });
  });

  it('uses the DNS servers of the site, and reaches the public ones through the proxy', async () => {
    const host = TemporaryHost.with(stub);
    expect(await clientResolvers(host, dnsOf('10.0.0.2', '9.9.9.9#dns.quad9.net'))).toEqual({
      ...{ ownResolver: '10.0.0.2', farResolver: '9.9.9.9' },
    });
  });

  it('uses public DNS servers for a capturing client if none is known', async () => {
    expect(await clientResolvers(TemporaryHost.with(stub), { dns: undefined })).toEqual({
      ...{ ownResolver: '1.1.1.1', farResolver: '1.1.1.1' },
    });
  });
});
