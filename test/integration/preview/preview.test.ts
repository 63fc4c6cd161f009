import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { exchange } from '../../../appliance/shared/smoke/exchange.ts';
import { keys } from '../../pty/terminal.ts';
import { strangerKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { needs } from '../needs.ts';
import { PreviewRig } from './preview-rig.ts';

/** Every component, with host names, which a preview does not have. */
const site = `release: [https://downloads.example.com/]
admin:
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
hosts: { ui: chat.example.com, relay: api.example.com }
components: { chat: true, lobe: true }
providers:
  openai: { base_url: https://api.openai.com/v1 }
`;

const real = needs('engine', 'registry', 'composePlugin');

/** One scenario in order, because a start takes longer than everything else. */
real.describe('landfall preview', () => {
  let rig: PreviewRig;
  let before: object;
  let one: string;
  let other: string;
  let starting: ReturnType<PreviewRig['preview']>;
  beforeAll(async () => {
    rig = await PreviewRig.start(join(await workFolder(), 'preview'), real);
    [one, other] = [await rig.newFolder('one'), await rig.newFolder('other')];
    before = await rig.everything();
  });
  afterAll(async () => {
    for (const folder of [one, other]) await rig?.down(folder);
    await rig?.close();
  });

  it('creates nothing for a bundle without a trusted signature', async () => {
    const key = join(one, 'unknown.pub');
    await writeFile(key, publicKeyPem(strangerKey.public));
    const { exitCode, stderr } = await rig.run(one, rig.bundle, '--key', key);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('error BUNDLE_UNTRUSTED')]);
    expect(await rig.everything()).toEqual(before);
  });

  it('creates nothing when the port of --port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { exitCode, stderr } = await rig.preview(one, '--port', `${port}`);
    server.close();
    expect([exitCode, stderr]).toEqual([10, expect.stringContaining('error PORT_TAKEN')]);
    expect(await rig.everything()).toEqual(before);
  });

  it('leaves nothing after Ctrl-C on a terminal, while another preview starts', async () => {
    starting = rig.preview(one, '--json');
    const run = rig.onTerminal(other);
    await run.shows('starting the services');
    run.type(keys.interrupt);
    const { status, text } = await run.end();
    expect([status, text]).toEqual([130, expect.stringMatching(/preview other-\w+ was removed/)]);
    expect(await rig.namesOf('other')).toEqual([]);
  });

  it('runs two previews at once, on different ports, and their smoke tests pass', async () => {
    await writeFile(join(other, 'site.yaml'), site);
    const more = rig.preview(other, '--json', '--site', 'site.yaml');
    const ends = await Promise.all([starting, more]);
    for (const { exitCode, stdout } of ends) expect([exitCode, stdout]).toEqual([0, stdout]);
    const results = ends.map(({ stdout }) => JSON.parse(stdout));
    for (const { tests } of results) {
      const outcomes = tests.map((test: { outcome: string }) => test.outcome);
      expect(outcomes.filter((outcome: string) => outcome === 'failed')).toEqual([]);
      const names = tests
        .filter((test: { outcome: string }) => test.outcome === 'passed')
        .map((test: { name: string }) => test.name);
      expect(names).toEqual(
        expect.arrayContaining(['gateway-redirect', 'certificate', 'ui-sign-in', 'ui-document']),
      );
    }
    const ports = results.flatMap(({ ports: own }) => Object.values<number>(own));
    expect(new Set(ports).size).toBe(ports.length);
    for (const { url, ports: own } of results) {
      const answer = await exchange(url, { address: '127.0.0.1', ports: own });
      expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/<html/i)]);
    }
  });

  it('publishes ports on the loopback address only, and shows no secret to Docker', async () => {
    const secrets = Object.values(await rig.secrets());
    for (const { Id } of await rig.docker.listContainers()) {
      const seen = await rig.docker.getContainer(Id).inspect();
      const bindings = Object.values(seen.NetworkSettings.Ports).flatMap((each) => each ?? []);
      expect(new Set(bindings.map(({ HostIp }) => HostIp))).toEqual(new Set(['127.0.0.1']));
      expect(seen.Name).toMatch(/^\/landfall-preview-(?:one|other)-/);
      const text = JSON.stringify(seen);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it('keeps its files in a folder of the user', async () => {
    const folder = join(rig.state, 'landfall', 'preview');
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700);
    }
  });

  it('keeps only volumes and secrets with --keep-data', async () => {
    const secrets = await rig.secrets();
    const { stdout } = await rig.down(other, '--keep-data', '--json');
    expect(JSON.parse(stdout).removed).toEqual({
      containers: 7,
      networks: 4,
      volumes: 0,
      images: 7,
    });
    const [volumes = []] = [(await rig.docker.listVolumes()).Volumes];
    expect(volumes.filter(({ Name }) => Name.includes('-other-'))).toHaveLength(2);
    expect(await rig.secrets()).toEqual(secrets);
  });

  it('leaves nothing after --down', async () => {
    const ends = await Promise.all([rig.down(one), rig.down(other)]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(await rig.everything()).toEqual(before);
    expect((await rig.down(one)).stdout).toContain('there was nothing to remove');
  });
});
