import { describe, expect, it } from 'vitest';
import { uiChatTests } from '../../../../appliance/shared/smoke/cases/ui-chat.ts';
import { serverTarget } from '../../../../appliance/stages/smoke/target.ts';
import { contextFor } from '../../context.ts';
import { resultOf } from '../../shared/smoke/outcomes.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const node = (id: string, role: 'manager' | 'worker') => ({
  ID: id,
  Spec: { Role: role, Availability: 'active' },
  Description: { Hostname: id, Engine: { EngineVersion: '26.1.5' } },
  Status: { State: 'ready', Addr: '198.19.253.1' },
});

/** The target of a server that leaves the answers to the nodes of its Swarm. */
async function targetWith(nodes: readonly ReturnType<typeof node>[], local = 'no') {
  const host = TemporaryHost.with(
    {},
    {
      'ip -json address': '[]',
      'docker inspect': { code: 1, stdout: '' },
      'docker node ls': nodes.map(({ ID }) => ID).join('\n'),
      'docker node inspect': JSON.stringify(nodes),
    },
  );
  return await serverTarget(contextFor(host, { site: { engines: { local, swarm: {} } } }));
}

// Regression: the first boot of such a server could not succeed, because only then can a node join.
describe('a first server that leaves the answers to a Swarm', () => {
  const first = node('first', 'manager');

  it('skips the tests of the chat, with the reason, before a node has joined', async () => {
    const detail = 'no node has joined yet: sudo landfall node token gpu1';
    for (const name of ['ui-chat', 'ui-chat-account']) {
      const result = await resultOf(name, await targetWith([first]), uiChatTests);
      expect(result).toMatchObject({ outcome: 'skipped', detail });
    }
  });

  it.each([
    ['a node has joined', [first, node('gpu1', 'worker')], 'no'],
    ['it answers too', [first], 'backup'],
  ])('tests the chat if %s', async (_when, nodes, local) => {
    const { inside } = await targetWith(nodes, local);
    expect(await inside?.whyNoServer?.()).toBeUndefined();
  });
});
