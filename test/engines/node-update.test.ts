import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../faulty-server/certificates.ts';
import { HostBundle } from '../host/boot/host-bundle.ts';
import { Premises } from '../host/boot/premises.ts';
import { UpdateLab } from '../host/commands/update-lab.ts';
import { hostNeeds } from '../host/host-needs.ts';
import { workFolder } from '../simulator/work-folder.ts';

const given = hostNeeds('debian13', 'serverBundle');

const node = {
  role: 'engine-node',
  engine_node: { client_ca: new CertificateAuthority().cert, clients: ['192.0.2.10'], slots: 2 },
};

/** The tests depend on their order: each release follows the one before it. */
given.describe('an engine node', () => {
  let premises: Premises;
  beforeAll(async () => {
    premises = await Premises.open({
      ...{ dependencies: given.dependencies, distribution: 'debian13', site: node },
      bundle: await HostBundle.copy(given.serverBundle, await workFolder()),
    });
    await premises.comeUp();
  });
  afterAll(() => premises?.close());
  const output = (command: string) => premises.host.output(command);
  const current = () => output('readlink /opt/landfall/current');
  const containers = () => output('docker ps --format {{.Names}} | sort | xargs');

  it('says what it is, and refuses commands about chats', async () => {
    expect(await output('landfall')).toContain('none: an engine node has no chats');
    expect(await output('landfall status')).not.toContain('ui');
    const { exitCode, stdout } = await premises.host.run('landfall ui users 2>&1');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('this server is an engine node');
    expect((await premises.host.run('landfall engines 2>&1')).stdout).toContain(
      'Run the command on the first server.',
    );
    expect(await output('landfall credentials --json')).not.toMatch(/WEBUI|RELAY|TINYPROXY/);
    expect(JSON.parse(await output('landfall doctor --json')).findings).toEqual([]);
  });

  it('changes its slots', async () => {
    const { exitCode, stdout } = await premises.host.run(
      'landfall site set engine_node.slots 3 --yes 2>&1',
      { limit: 300 },
    );
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(await output('docker exec landfall-engine env')).toContain('OLLAMA_NUM_PARALLEL=3');
  });

  describe('with a channel of releases', () => {
    let lab: UpdateLab;
    beforeAll(async () => {
      lab = await UpdateLab.open(premises);
      await lab.addRelease('0.1.0');
    });
    afterAll(() => lab?.close());

    it('replaces Ollama by that of the next release', async () => {
      await lab.build('0.2.0', { engine: 'next' });
      await lab.sign('release');
      const { exitCode, stdout } = await lab.run('landfall update --yes 2>&1');
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
      expect(await current()).toBe('releases/0.2.0-amd64');
      expect(await containers()).toBe('landfall-engine landfall-gateway');
      await lab.remove('0.2.0');
    });

    it('goes back from a release whose Ollama does not start', async () => {
      await lab.build('0.3.0', { engine: 'broken' });
      await lab.sign('release');
      const { exitCode, stdout } = await lab.run('landfall update --yes 2>&1');
      expect(stdout).toContain('0.3.0 was rolled back');
      expect(exitCode).toBe(11);
      expect(await current()).toBe('releases/0.2.0-amd64');
      expect((await premises.host.run('landfall smoke')).exitCode).toBe(0);
    });
  });
});
