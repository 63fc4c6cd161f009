import { describe, expect, it } from 'vitest';
import { currentMembers } from '../../../../appliance/nodes/swarm/first-server.ts';
import {
  type Member,
  readUnusedKeys,
  writeMembers,
  writeUnusedKeys,
} from '../../../../appliance/nodes/swarm/members.ts';
import { makeKey, publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import { piped } from '../../answers.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const address = '198.19.253.2';
const created = Date.parse('2026-11-28T00:00:00.000Z');
const [day, month] = [86_400_000, 30 * 86_400_000];

const member: Member = {
  ...{ name: 'gpu1', address: address as Member['address'] },
  publicKey: publicKeyOf(makeKey()),
  expires: new Date(created + day).toISOString(),
};

interface Facts {
  /** Whether a server is in the Swarm at the address of the member. */
  readonly isInSwarm: boolean;
  /** Seconds since 1970 of the last connection with the key of the member. */
  readonly connected: number;
}

function firstServer({ isInSwarm, connected }: Facts): TemporaryHost {
  const node = {
    ID: 'abc',
    Spec: { Role: 'worker', Availability: 'active' },
    Description: { Hostname: 'gpu1', Engine: { EngineVersion: '28.0.0' } },
    Status: { State: 'ready', Addr: address },
  };
  return TemporaryHost.with(
    {},
    {
      'docker node ls': isInSwarm ? 'abc\n' : '',
      'docker node inspect': JSON.stringify([node]),
      [`${piped('wg')} show`]: `${member.publicKey}\t${connected}\n`,
    },
  );
}

/** A server with a token that no server had used when it was made. */
async function withToken(facts: Facts): Promise<TemporaryHost> {
  const host = firstServer(facts);
  await writeMembers(host, [member]);
  await writeUnusedKeys(host, [member.publicKey]);
  return host;
}

describe('the token of a node', () => {
  it('ends although a server has joined there before, with an earlier token', async () => {
    const host = await withToken({ isInSwarm: true, connected: 0 });
    expect(await currentMembers(host, created)).toEqual([member]);
    expect(await currentMembers(host, created + month)).toEqual([]);
  });

  it('stays when a server has joined with it, also after a restart of WireGuard', async () => {
    const host = await withToken({ isInSwarm: true, connected: 1 });
    expect(await currentMembers(host, created)).toEqual([member]);
    expect(await readUnusedKeys(host)).toEqual([]);
    const restarted = firstServer({ isInSwarm: true, connected: 0 });
    await writeMembers(restarted, [member]);
    expect(await currentMembers(restarted, created + month)).toEqual([member]);
  });

  it('ends when a server has connected with it and did not join', async () => {
    const host = await withToken({ isInSwarm: false, connected: 1 });
    expect(await currentMembers(host, created + month)).toEqual([]);
  });
});
