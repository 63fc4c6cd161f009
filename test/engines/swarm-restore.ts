import { expect, it } from 'vitest';
import { waitForChat } from '../host/boot/first-booted.ts';
import { ChatUser } from './chat-user.ts';
import type { SwarmServers } from './swarm-servers.ts';

/** Tests that a first server that was lost takes `gpu1` back when its backup is restored elsewhere. */
export function itTakesItsNodesBack(servers: () => SwarmServers): void {
  it('takes its nodes back, at another address, when its backup is restored', async () => {
    await servers().backUp();
    const fresh = await servers().restoreElsewhere();
    await fresh.comeUp(undefined, 1200);
    // The timer of a node runs it every 15 minutes; the session of WireGuard ends after three.
    const { host } = servers().node('gpu1');
    const ready = async () => {
      await host.output('landfall route test --scheduled');
      return (await servers().list())[0]?.state;
    };
    await expect.poll(ready, { timeout: 300_000, interval: 5000 }).toBe('ready');
    await servers().becomes('gpu1', 'up', 180_000);
    const [gpu1] = await servers().list();
    expect(gpu1).toMatchObject({ name: 'gpu1', state: 'ready', ollama: 'running' });
    await waitForChat(fresh);
    const user = await ChatUser.signIn(fresh.host);
    try {
      const answers = user.askMany(4, 20);
      expect(await Promise.all(answers.map(({ end }) => end))).toEqual(answers.map(() => 'whole'));
    } finally {
      await user.close();
    }
  });

  it('lets another node join the restored Swarm', async () => {
    expect(await servers().join('gpu2', await servers().token('gpu2'))).toMatchObject({
      status: 0,
    });
    await servers().becomes('gpu2', 'up');
  });
  it('ends with the site that has none', async () => {
    const { host } = servers().first;
    const { exitCode, stdout } = await host.run('landfall site remove engines --yes 2>&1', {
      limit: 400,
    });
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(await host.output('docker info --format {{.Swarm.LocalNodeState}}')).toBe('inactive');
    expect(await host.output('docker info --format {{.LiveRestoreEnabled}}')).toBe('true');
    expect(await host.output('nft list table inet landfall')).not.toContain('goto from-swarm');
    expect(await host.output('ufw status')).not.toContain('wg-landfall');
    expect((await host.run('landfall smoke')).exitCode).toBe(0);
  });
}
