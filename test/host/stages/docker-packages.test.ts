import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { StageResult } from '../stage-runner/stage-runner.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { type DockerArchive, dockerArchive } from './docker-archive.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'composePlugin', 'gpg');

  given.describe(
    `a server (${distribution}) with a mirror of Docker's packages that is not signed`,
    () => {
      let cloud: Cloud;
      let host: FastHost;
      let stages: StageRunner;
      let folder: string;
      let applied: StageResult;

      beforeAll(async () => {
        cloud = await Cloud.open(given.dependencies);
        host = await cloud.bootEmpty(distribution);
        folder = await mkdtemp(join(tmpdir(), 'landfall-mirror-'));
        const index = join(folder, 'linux/debian/dists/trixie');
        await mkdir(index, { recursive: true });
        await writeFile(join(index, 'InRelease'), 'Origin: Docker\nSuite: trixie\n');
        await writeFile(join(folder, 'plugin'), await readFile(given.composePlugin));
        const url = await cloud.serveFolder(folder);
        stages = await StageRunner.install(host, {});
        await stages.give({
          site: { docker: { mirror: `${url}linux` } },
          release: { downloads: [await download(`${url}plugin`, given.composePlugin)] },
        });
        applied = await stages.run('apply', 'runtime');
      });
      afterAll(async () => {
        await cloud?.close();
        await rm(folder, { recursive: true, force: true });
      });

      it('gets Docker from the packages of its distribution, although the mirror answers', async () => {
        expect(applied).not.toHaveProperty('error');
        expect(applied.said).toContainEqual(
          expect.stringMatching(/^Docker's packages cannot be installed: .*; using those of/),
        );
        expect(await host.output("dpkg-query -W -f '${db:Status-Status}' docker.io")).toBe(
          'installed',
        );
        expect(await host.output('docker info --format {{.ServerVersion}}')).toMatch(/^\d+\./);
      });

      it('leaves no trace of an unsigned Docker repository, so that apt works', async () => {
        expect(await host.output('ls /etc/apt/sources.list.d /etc/apt/keyrings')).not.toContain(
          'docker',
        );
        expect(await host.run('apt-get -q update')).toMatchObject({ exitCode: 0 });
      });

      it('says so in the report of every run, and changes nothing', async () => {
        expect((await stages.run('check', 'runtime')).lines).toEqual([]);
        for (const _ of [1, 2]) {
          const { warned, error } = await stages.run('prove', 'runtime');
          expect(error).toBeUndefined();
          expect(warned).toEqual([expect.stringMatching(/^Docker is that of debian 13, /)]);
        }
      });
    },
  );

  given.describe(`a server (${distribution}) with a mirror of Docker's packages`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    let archive: DockerArchive;
    let applied: StageResult;

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      host = await cloud.bootEmpty(distribution);
      archive = await dockerArchive(given.gpg);
      await writeFile(join(archive.folder, 'plugin'), await readFile(given.composePlugin));
      const url = await cloud.serveFolder(archive.folder);
      stages = await StageRunner.install(host, {}, archive.key);
      await stages.give({
        site: { docker: { mirror: `${url}linux` } },
        release: { downloads: [await download(`${url}plugin`, given.composePlugin)] },
      });
      applied = await stages.run('apply', 'runtime');
    });
    afterAll(async () => {
      await cloud?.close();
      if (archive) await rm(archive.folder, { recursive: true, force: true });
    });

    it("gets Docker's own packages", async () => {
      expect(applied).not.toHaveProperty('error');
      expect(applied.said).toContain("adding Docker's repository");
      const query = "dpkg-query -W -f '${Package} ${db:Status-Status}\n'";
      const names = 'docker-ce docker-ce-cli containerd.io';
      expect(await host.output(`${query} ${names}`)).toBe(
        'containerd.io installed\ndocker-ce installed\ndocker-ce-cli installed',
      );
      expect((await host.run('dpkg-query -W docker.io')).exitCode).not.toBe(0);
    });

    it('runs Docker with the settings of Landfall', async () => {
      expect(await host.output('docker info --format {{.LoggingDriver}}')).toBe('json-file');
      const { warned, error } = await stages.run('prove', 'runtime');
      expect(error).toBeUndefined();
      expect(warned).toEqual([]);
    });

    it('keeps the packages in the next run, although the mirror no longer answers', async () => {
      await rm(join(archive.folder, 'linux'), { recursive: true });
      expect((await stages.run('check', 'runtime')).lines).toEqual([]);
      expect(await stages.run('apply', 'runtime')).not.toHaveProperty('error');
    });
  });
}

/** Returns the entry of a release for the Compose plugin. */
async function download(url: string, path: string) {
  const { size } = await stat(path);
  const sha256 = sha256Hex(await readFile(path));
  return { path: composePlugin, urls: [url], size, sha256, executable: true };
}
