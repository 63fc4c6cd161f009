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
  /** Returns the file that the image of a release has, in the container that runs on the node. */
  const onNode = async () => {
    const id = 'docker ps --quiet --filter name=landfall_engine';
    const ran = await node.run(`docker cp $(${id}):/usr/share/ollama/changed - | tar -xO`);
    return ran.stdout;
  };
  const currentOn = (host: FastHost) => host.output('readlink /opt/landfall/current');

  it('replaces Ollama of a node with the update of that node only', async () => {
    await lab.build('0.2.0', { engine: 'next' });
    await lab.sign('release');
    expect(await onNode()).toBe('');
    const { exitCode, stdout } = await update(node);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(await currentOn(node)).toBe('releases/0.2.0-amd64');
    expect(await onNode()).toContain('0.35.2');
    await servers().becomes('gpu1', 'up');
    const tasks = await servers().first.host.output('docker service ps -q landfall_engine');
    expect(await update()).toMatchObject({ exitCode: 0 });
    expect(await currentOn(servers().first.host)).toBe('releases/0.2.0-amd64');
    // The update of the first server restarts nothing on the nodes.
    expect(await servers().first.host.output('docker service ps -q landfall_engine')).toBe(tasks);
    expect(await servers().list()).toMatchObject([{ name: 'gpu1', ollama: 'running' }]);
  });

  it('goes back on a node from a release whose Ollama does not start', async () => {
    await lab.remove('0.2.0');
    await lab.build('0.3.0', { engine: 'broken' });
    await lab.sign('release');
    const { exitCode, stdout } = await update(node);
    expect(stdout).toContain('0.3.0 was rolled back');
    expect(exitCode).toBe(11);
    expect(await currentOn(node)).toBe('releases/0.2.0-amd64');
    expect(await onNode()).toContain('0.35.2');
    await servers().becomes('gpu1', 'up');
    expect((await node.run('landfall smoke')).exitCode).toBe(0);
  });

  it('keeps the Ollama of the nodes when the first server goes back to its earlier release', async () => {
    const { host } = servers().first;
    const tasks = await host.output('docker service ps -q landfall_engine');
    const ran = await lab.run('landfall update rollback --yes 2>&1');
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(await currentOn(host)).toBe('releases/0.1.0-amd64');
    expect(await host.output('docker service ps -q landfall_engine')).toBe(tasks);
    expect(await onNode()).toContain('0.35.2');
    await servers().becomes('gpu1', 'up');
  });
}
