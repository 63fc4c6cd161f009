import { expect, it } from 'vitest';
import { serverAddresses } from '../../../../appliance/host/outside/addresses.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const links = [
  {
    ifname: 'lo',
    addr_info: [{}, { family: 'inet', local: '198.19.254.1' }],
  },
  {
    ifname: 'eth0',
    addr_info: [
      { family: 'inet', local: '203.0.113.7' },
      { family: 'inet6', local: '2001:db8::7' },
      { family: 'inet6', local: '2001:db8::8', temporary: true },
    ],
  },
  { ifname: 'docker0', addr_info: [{ family: 'inet', local: '172.17.0.1' }] },
];

it('returns the addresses of the server, without those of Docker and of the proxy client', async () => {
  const host = TemporaryHost.with({}, { 'ip -json address': JSON.stringify(links) });
  expect(await serverAddresses(host)).toEqual({ v4: ['203.0.113.7'], v6: ['2001:db8::7'] });
});
