import { expect, it } from 'vitest';
import { formatToken, parseToken } from '../../appliance/nodes/swarm/token.ts';
import { makeKey, publicKeyOf } from '../../appliance/server/host/wireguard/key.ts';
import type { SwarmServers } from './swarm-servers.ts';

const tags = 'curl -sf http://127.0.0.1:11434/api/tags';

/** Tests tokens and servers that cannot join. `gpu1` has joined, and `gpu2` has not. */
export function itRefusesWhatCannotJoin(servers: () => SwarmServers): void {
  const changed = async (name: string, fields: object) =>
    formatToken({ ...parseToken(await servers().token(name)), ...fields });
  /** Nothing is left of the attempt: Compose runs Ollama as before. */
  const expectAlone = async () => {
    const { host } = servers().node('gpu2');
    await host.output(tags);
    expect(await host.output('docker ps --format {{.Names}}')).toContain('landfall-engine');
    expect(await host.output('docker info --format {{.Swarm.LocalNodeState}}')).toBe('inactive');
    expect((await host.run('ip link show wg-landfall')).exitCode).not.toBe(0);
  };

  it('names a typing error, and changes nothing', async () => {
    const token = await servers().token('gpu2');
    const { status, text } = await servers().join('gpu2', token.replace(/.$/, ''));
    expect(status, text).toBe(11);
    expect(text).toContain('NODE_TOKEN: the token is incomplete, or has a typing error');
    await expectAlone();
  });

  it('rejects a server that manages another Swarm', async () => {
    const { host } = servers().node('gpu2');
    await host.output('docker swarm init --advertise-addr 127.0.0.1');
    const { status, text } = await servers().join('gpu2', await servers().token('gpu2'));
    expect(status, text).toBe(11);
    expect(text).toContain('SWARM_CONFLICT: this server is the manager of a Swarm');
    await host.output('docker swarm leave --force');
    await expectAlone();
  });

  it('says within some seconds that the port of the first server is closed', async () => {
    const { host } = servers().first;
    const token = await servers().token('gpu2');
    await host.output('nft insert rule inet landfall arriving udp dport 51820 drop');
    const { status, text } = await servers().join('gpu2', token);
    await host.output('nft -f /etc/landfall/firewall.nft');
    expect(status, text).toBe(11);
    expect(text).toContain('NODE_UNREACHABLE: no answer from first.example.com, port 51820/udp');
    await expectAlone();
  });

  it('rejects a token whose Swarm is another one', async () => {
    const swarm = `SWMTKN-1-${'1a'.repeat(25)}-${'2b'.repeat(12)}c`;
    const { status, text } = await servers().join('gpu2', await changed('gpu2', { swarm }));
    expect(status, text).toBe(11);
    expect(text).toMatch(/NODE_TOKEN|NODE_UNREACHABLE/);
    await expectAlone();
  });

  it('does not let a node join a second Swarm', async () => {
    const peer = publicKeyOf(makeKey());
    const token = formatToken({ ...parseToken(await servers().token('gpu2')), peer });
    const { status, text } = await servers().join('gpu1', token);
    expect(status, text).toBe(11);
    expect(text).toContain('SWARM_CONFLICT');
    expect(text).toContain('sudo landfall node leave');
  });

  it('finds a stack file that was edited by hand', async () => {
    const { host } = servers().first;
    await host.output('echo "# mine" >>/var/lib/landfall/stack/swarm.yaml');
    expect(await host.output('landfall plan')).toContain('deploy Ollama on the nodes');
  });

  it('shows a node that left by hand as down, and lets it join again', async () => {
    const { host } = servers().node('gpu1');
    await host.output('docker swarm leave');
    await expect
      .poll(async () => (await servers().list())[0]?.state, { timeout: 60_000 })
      .toBe('down');
    const { status, text } = await servers().join('gpu1', await servers().token('gpu1'));
    expect(status, text).toBe(0);
    await servers().becomes('gpu1', 'up');
  });

  it('says that Docker has another major version', async () => {
    const token = await changed('gpu1', { docker: 20 });
    const { status, text } = await servers().join('gpu1', token);
    expect(status, text).toBe(0);
    expect(text).toContain('and 20 on the first server. Use the same one.');
    await servers().becomes('gpu1', 'up');
  });
}
