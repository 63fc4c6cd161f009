import { describe, expect, it } from 'vitest';
import { checkEngineAddresses } from '../../../../appliance/stages/preflight/engines.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const links = [
  {
    ifname: 'eth0',
    addr_info: [
      { family: 'inet', local: '10.0.0.2' },
      { family: 'inet6', local: '2a01:4f8::2' },
    ],
  },
];

/** Returns the messages for nodes with these URLs on a server behind NAT. */
async function messagesFor(...urls: readonly string[]): Promise<string[]> {
  const metadata = JSON.stringify({ ds: { meta_data: { 'public-ipv4': '8.8.4.4' } } });
  const host = TemporaryHost.with(
    { 'run/cloud-init/instance-data.json': metadata },
    { 'ip -json address': JSON.stringify(links) },
  );
  const nodes = urls.map((url, index) => ({ name: `node${index}`, url }));
  const { site } = contextFor(host, { site: { engines: { nodes } } });
  return (await checkEngineAddresses({ host, site })).map(({ message }) => message);
}

describe('the addresses of nodes', () => {
  it.each(['http://10.0.0.2:11434', 'https://8.8.4.4:11443', 'https://[2a01:4f8:0::2]:11443'])(
    'rejects the address of this server: %s',
    async (url) => {
      expect(await messagesFor(url)).toEqual([expect.stringContaining('node node0 is that of')]);
    },
  );

  it('accepts other addresses and names', async () => {
    const urls = ['http://10.0.0.3:11434', 'https://gpu.example.com', 'https://[2a01:4f8::3]'];
    expect(await messagesFor(...urls)).toEqual([]);
  });

  it('asks for no address on a site without engines', async () => {
    const host = TemporaryHost.with({});
    expect(await checkEngineAddresses(contextFor(host))).toEqual([]);
    expect(host.ran).toEqual([]);
  });
});
