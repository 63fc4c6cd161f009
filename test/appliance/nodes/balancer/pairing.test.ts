import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { changedText } from '../../../../appliance/commands/site/set.ts';
import {
  addNodeCommand,
  describeNodeSite,
  nodeEntry,
  nodeName,
  nodeSite,
} from '../../../../appliance/nodes/balancer/pairing.ts';
import { internalAuthority } from '../../../../appliance/server/certificates/internal-authority.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const link = (...addresses: string[]) =>
  JSON.stringify([
    {
      ifname: 'eth0',
      addr_info: addresses.map((local) => ({
        ...{ family: local.includes(':') ? 'inet6' : 'inet', local },
      })),
    },
  ]);

/** A server with these addresses; its certificates are real. */
function serverWith(name: string, ...addresses: string[]): Host {
  return new Host(
    TemporaryHost.with({ 'etc/hostname': `${name}\n` }).root,
    async (file, args, options) => {
      if (file === 'ip') return { code: 0, stdout: link(...addresses), stderr: '' };
      return await runCommand(file, args, options);
    },
  );
}

const valueIn = (command: string) =>
  /^sudo landfall site add engines[.]nodes '(.*)'$/.exec(command);

describe('what the first server prints for a node', () => {
  it('contains its authority and its public addresses, as a valid site of a node', async () => {
    const host = serverWith('first', '10.0.0.2', '8.8.4.4', '2a01:4f8::1');
    const site = await nodeSite(host);
    expect(site.engine_node.clients).toEqual(['8.8.4.4', '2a01:4f8::1']);
    expect(site.engine_node.client_ca).toBe((await internalAuthority(host)).chain);
    const text = describeNodeSite(site);
    expect(text).toContain('  client_ca: |\n    -----BEGIN CERTIFICATE-----\n');
    expect(parse(text)).toEqual(site);
    const { site: parsed } = contextFor(host, { site: parse(text) });
    expect(parsed.engine_node?.clients).toEqual(site.engine_node.clients);
  });

  it('contains private addresses if the server has no others', async () => {
    const { engine_node: settings } = await nodeSite(serverWith('first', '10.0.0.2'));
    expect(settings.clients).toEqual(['10.0.0.2']);
  });
});

describe('what a node prints for the first server', () => {
  let host: Host;
  beforeEach(() => {
    host = serverWith('GPU_1.example.com', '8.8.4.4');
  });
  const slots = { engine_node: { client_ca: '', clients: [], slots: 3 } };

  it('contains its name, its address, its authority and its slots', async () => {
    expect(await nodeEntry(host, slots)).toEqual({
      ...{ name: 'gpu-1', url: 'https://8.8.4.4:11443', slots: 3 },
      ca: (await internalAuthority(host)).chain,
    });
  });

  it('writes an IPv6 address in brackets', async () => {
    const { url } = await nodeEntry(serverWith('a', '2a01:4f8::1'), slots);
    expect(url).toBe('https://[2a01:4f8::1]:11443');
  });

  it.each([
    ['without engines', '# Ours.\ntimezone: UTC\n'],
    ['with an empty section', 'engines:\n'],
    ['with a node', 'engines:\n  nodes:\n    - { name: a, url: "https://gpu.example.com" }\n'],
  ])('adds it to a site %s with one command', async (_what, text) => {
    const entry = await nodeEntry(host, slots);
    const command = addNodeCommand(entry, {
      engine_node: { client_ca: 'x', clients: ['192.0.2.1'], slots: 1 },
    });
    const token = addNodeCommand(entry, { engine_node: undefined });
    expect(token).toBe(`sudo landfall node token ${entry.name}`);
    expect(command).not.toContain('\n');
    const value = valueIn(command)?.[1] ?? '';
    const changed = changedText(text, { action: 'add', field: 'engines.nodes', value });
    const nodes = contextFor(host, { site: parse(changed) }).site.engines?.nodes;
    expect(nodes?.at(-1)).toEqual({ ...entry, weight: 1 });
  });
});

describe('the name of a node', () => {
  it.each([
    ['gpu1', 'gpu1'],
    ['local', 'node-local'],
    ['7b', 'node-7b'],
    ['', 'node'],
    ['localhost.localdomain', 'localhost'],
  ])('makes of the host name %j the name %s', (hostName, name) => {
    expect(nodeName(hostName)).toBe(name);
  });

  it('follows the schema for any host name', () => {
    fc.assert(
      fc.property(fc.string(), (hostName) => {
        expect(nodeName(hostName)).toMatch(/^(?!local$)[a-z][a-z0-9-]{0,31}$/);
      }),
    );
  });
});
