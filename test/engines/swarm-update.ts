import { afterAll, beforeAll, expect, it } from 'vitest';
import { UpdateLab } from '../host/commands/update-lab.ts';
import type { FastHost } from '../host/machine/fast-host.ts';
import type { SwarmServers } from './swarm-servers.ts';

/** Tests that the first server and `gpu1` are updated. They depend on their order. */
export function itUpdatesAllServers(servers: () => SwarmServers): void {
  let lab: UpdateLab;
  let node: FastHost;
  beforeAll(async () => {
    lab = await UpdateLab.open(servers().first);
    node = servers().node('gpu1').host;
    await lab.addServer(node);
    await lab.addRelease('0.1.0');
  });
  afterAll(() => lab?.close());

  const update = (host?: FastHost) => lab.run('landfall update --yes 2>&1', host);
  const imageOnNode = () =>
    node.output(
      "docker ps --filter label=com.docker.swarm.service.name --format '{{.Image}}' | sed 's/.*://'",
    );
  const currentOn = (host: FastHost) => host.output('readlink /opt/landfall/current');

  it('replaces Ollama on the nodes after the first server has the release', async () => {
    await lab.build('0.2.0', { engine: 'next' });
    await lab.sign('release');
    const before = await imageOnNode();
    const ofNode = await update(node);
    expect(ofNode).toMatchObject({ exitCode: 0 });
    expect(await currentOn(node)).toBe('releases/0.2.0-amd64');
    expect(await imageOnNode()).toBe(before);
    const ofFirst = await update();
    expect(ofFirst).toMatchObject({ exitCode: 0 });
    await expect.poll(imageOnNode, { timeout: 60_000 }).toMatch(/^0\.35\.2/);
    await servers().becomes('gpu1', 'up');
  });

  it('leaves the nodes alone when the first server goes back to its release', async () => {
    await lab.remove('0.2.0');
    await lab.build('0.3.0', { engine: 'broken' });
    await lab.sign('release');
    expect((await update()).stdout).toContain('0.3.0 was rolled back');
    expect(await imageOnNode()).toMatch(/^0\.35\.2/);
    await servers().becomes('gpu1', 'up');
  });

  it('waits for a node that was not updated before the first server', async () => {
    await lab.remove('0.3.0');
    await lab.build('0.4.0', { engine: 'later' });
    await lab.sign('release');
    const ofFirst = await update();
    expect(ofFirst).toMatchObject({ exitCode: 0 });
    process.stderr.write((await servers().start('node').end()).text);
    process.stderr.write(
      await servers().first.host.output(
        'docker service ps --no-trunc landfall_engine; docker service inspect -f "{{json .UpdateStatus}}" landfall_engine',
      ),
    );
    process.stderr.write(await imageOnNode());
    expect(await update(node)).toMatchObject({ exitCode: 0 });
    await expect.poll(imageOnNode, { timeout: 60_000 }).toMatch(/^0\.35\.4/);
    await servers().becomes('gpu1', 'up');
  });
}
