import { beforeEach, describe, expect, it } from 'vitest';
import { hasClientPair } from '../../../../../../appliance/server/certificates/client-pair.ts';
import { Host } from '../../../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../../../appliance/server/host/run/command.ts';
import { applyClientPair } from '../../../../../../appliance/stages/stack/components/balancer/client-certificate.ts';
import { contextFor } from '../../../../context.ts';
import { TemporaryHost } from '../../../../temporary-host.ts';

const owner = process.getuid?.() ?? 0;
const node = { name: 'gpu1', url: 'https://gpu.example.com' };

describe('the certificate of HAProxy on a server', () => {
  let calls: string[];
  let host: Host;
  const settle = (site: object = {}) =>
    applyClientPair(host, contextFor(host, { site: { ...site } }).site, owner);
  beforeEach(() => {
    calls = [];
    host = new Host(TemporaryHost.with({}).root, async (file, args, options) => {
      if (file !== 'docker') return await runCommand(file, args, options);
      calls.push(args.join(' '));
      return { code: (await hasClientPair(host)) ? 2 : 1, stdout: '', stderr: '' };
    });
  });

  it('removes the container before it creates a certificate, and creates it once', async () => {
    await settle({ engines: { nodes: [node] } });
    await settle({ engines: { nodes: [node] } });
    expect(calls).toEqual(['rm --force landfall-balancer']);
    expect(await hasClientPair(host)).toBe(true);
  });

  it('leaves no key on a server whose site loses its engines, or never had any', async () => {
    await settle();
    await settle({ engines: { nodes: [node] } });
    await settle();
    expect(await hasClientPair(host)).toBe(false);
    expect(calls).toHaveLength(1);
  });
});
