import { afterEach, describe, expect, it } from 'vitest';
import { engines } from '#contract/site/engines/engines.ts';
import { askNodes, trustOf } from '../../../../appliance/nodes/balancer/ask-nodes.ts';
import { ensureClientPair } from '../../../../appliance/server/certificates/client-pair.ts';
import { internalAuthority } from '../../../../appliance/server/certificates/internal-authority.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { EngineNode } from '../../../integration/balancer/engine-node.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const nodes = new Map<string, EngineNode>();
afterEach(async () => {
  await Promise.all([...nodes.values()].map((node) => node.kill()));
  nodes.clear();
});

const authority = new CertificateAuthority('of the nodes');

async function start(name: string, settings: ConstructorParameters<typeof EngineNode>[0]) {
  const node = await new EngineNode(settings).start();
  nodes.set(name, node);
  return { name, url: node.url, ...(settings?.tls ? { ca: authority.cert } : {}) };
}

describe('the questions to all nodes', () => {
  it('return the release of Landfall nodes and the models of each node', async () => {
    const host = new Host(TemporaryHost.with({}).root, runCommand);
    await ensureClientPair(host, process.getuid?.() ?? 0);
    const tls = { ...authority.issue(), ca: (await internalAuthority(host)).chain };
    const listed = [
      await start('landfall', { tls, release: '1.2.0' }),
      await start('ollama', { tls: authority.issue(), models: ['big:70b'] }),
      await start('plain', { release: '1.2.0' }),
      await start('strange', { tls, release: '1.2.0', tags: (_, response) => response.end('<') }),
      await start('dead', {}),
    ];
    await nodes.get('dead')?.kill();
    const parsed = engines.parse({ nodes: listed });
    const found = await askNodes(parsed ?? { local: 'no', nodes: [] }, await trustOf(host, {}));
    const seen = [...found].map(([name, { release, models }]) => [
      ...[name, release, models?.map((model) => model.name)],
    ]);
    expect(seen).toEqual([
      ['landfall', '1.2.0', ['qwen3:8b']],
      ['ollama', undefined, ['big:70b']],
      ['plain', undefined, ['qwen3:8b']],
      ['strange', '1.2.0', undefined],
      ['dead', undefined, undefined],
    ]);
  });
});
