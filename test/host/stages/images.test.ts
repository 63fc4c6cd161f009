import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Release, releaseSchema } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

/** Folder in which a stage runner expects its release. */
const folder = '/opt/landfall/releases/1.0.0-amd64';

/** File that lists the images that may not be on disk yet, and the boot ID. */
const mark = '/var/lib/landfall/images-unsettled';

/** Folders in which Docker keeps images; version 20.10 of Debian 12 uses only the first. */
const stores = {
  debian13: ['classic', 'containerd'],
  debian12: ['classic'],
  'ubuntu-like': ['classic'],
  'resolute-like': ['classic'],
} as const;

for (const distribution of distributions()) {
  const given = hostNeeds(distribution, 'registry', 'composePlugin');

  given.describe(`the images of a release on ${distribution}`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    let release: Release;
    /** URL at which the server reaches the registry that the images were built from. */
    let mirror: string;

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      mirror = await cloud.forward(given.registry);
      const { dist, archive } = await HostBundle.build({
        folder: join(await workFolder(), 'bundle'),
        registry: given.registry,
        plugin: given.composePlugin,
      });
      host = await cloud.bootEmpty(distribution);
      const url = `${await cloud.serveFolder(dist)}${archive}`;
      await host.output(`${fetch} --output /tmp/release.tar ${url}`);
      await host.output(`mkdir -p ${folder} && tar -xf /tmp/release.tar -C ${folder}`);
      await host.output(`rm /tmp/release.tar && ${installEngine}`);
      stages = await StageRunner.install(host, {});
      release = releaseSchema.parse(JSON.parse(await host.output(`cat ${folder}/release.json`)));
      await stages.give({ site: {}, release });
    });
    afterAll(() => cloud.close());

    describe.each(stores[distribution])('in the %s store of Docker', (store) => {
      beforeAll(async () => {
        const features = { 'containerd-snapshotter': true };
        const settings = store === 'containerd' ? { features } : {};
        const insecure = { 'insecure-registries': [mirror] };
        await host.put('/etc/docker/daemon.json', JSON.stringify({ ...settings, ...insecure }));
        await host.output('systemctl restart docker');
      });

      it('uses the image store of Docker that this test names', async () => {
        const drivers = await host.output("docker info --format '{{.DriverStatus}}'");
        expect(drivers.includes('io.containerd.snapshotter')).toBe(store === 'containerd');
      });

      it('loads the images of a release, each with its locked ID', async () => {
        expect((await stages.run('check', 'images')).lines).toHaveLength(release.images.length);
        expect(await stages.run('apply', 'images')).not.toHaveProperty('error');
        expect(await names()).toEqual(local());
        for (const image of release.images) {
          const { config, manifest } = image;
          const inspect = `docker image inspect --format '{{.Id}}' ${localImage(image)}`;
          expect([config, manifest]).toContain(await host.output(inspect));
        }
      });

      it('loads the images of a release once', async () => {
        expect((await stages.run('check', 'images')).lines).toEqual([]);
      });

      // The retry of a failed pull mistook its own mark for a power cut, and deleted all images.
      it('reuses the images of a release after a run that was killed without a power cut', async () => {
        const boot = (await host.output('cat /proc/sys/kernel/random/boot_id')).trim();
        await host.put(mark, JSON.stringify({ boot, images: local() }));
        const { lines } = await stages.run('check', 'images');
        expect(lines).toEqual(['flush the images to disk']);
        const applied = await stages.run('apply', 'images');
        expect(applied).not.toHaveProperty('error');
        expect(applied.said).toEqual([]);
        expect((await stages.run('check', 'images')).lines).toEqual([]);
      });

      it('run', async () => {
        expect(await host.output(nginxVersion())).toMatch(/nginx version/);
      });

      // Docker does not flush to disk: a power cut left empty programs.
      it('run after a power cut that truncated their files', async () => {
        const layers = '/var/lib/docker/overlay2 /var/lib/containerd/io.containerd.snapshotter*';
        await host.output(
          `find ${layers} -path '*/usr/sbin/nginx' -exec truncate -s 0 {} + 2>/dev/null || true`,
        );
        await host.put(mark, JSON.stringify({ boot: 'before', images: local() }));
        expect(await host.run(nginxVersion())).not.toMatchObject({ exitCode: 0 });
        expect(await stages.run('apply', 'images')).not.toHaveProperty('error');
        expect(await host.output(nginxVersion())).toMatch(/nginx version/);
      });

      // A kill between two commands left a name of a registry that no longer existed.
      it('leaves no other image names after a kill at any point of the load', async () => {
        for (const seconds of [0.6, 1, 1.5]) {
          await host.output('docker image rm --force $(docker image ls --quiet | sort -u)');
          await stages.kill('images', seconds);
          expect(await stages.run('apply', 'images')).not.toHaveProperty('error');
          expect(await names(), `killed after ${seconds} s`).toEqual(local());
        }
      });

      it('pulls identical images where the bundle does not include them', async () => {
        const ids = await host.output('docker image ls --quiet --no-trunc | sort -u');
        await host.output('docker image rm --force $(docker image ls --quiet | sort -u)');
        const files = release.files.filter(({ path }) => !path.startsWith('blobs/'));
        const site = { mirrors: { registries: { 'docker.io': `http://${mirror}` } } };
        await stages.give({ site, release: { ...release, files } });
        const { said, error } = await stages.run('apply', 'images');
        expect(error).toBeUndefined();
        expect(said).toEqual(
          release.images.map(() => expect.stringMatching(`^pulling ${mirror}/.*@sha256:`)),
        );
        expect(await names()).toEqual(local());
        expect(await host.output('docker image ls --quiet --no-trunc | sort -u')).toBe(ids);
        await stages.give({ site: {}, release });
      });
    });

    /** Prints the version of the gateway's nginx. */
    const nginxVersion = () => {
      const gateway = release.images.find(({ component }) => component === 'gateway');
      if (!gateway) throw new Error('the release has no gateway');
      return `docker run --rm --network none ${localImage(gateway)} nginx -v 2>&1`;
    };
    const local = () => release.images.map(localImage).sort();

    /** Returns every name of every image, with digests. */
    async function names(): Promise<string[]> {
      const format =
        '{{range .RepoTags}}{{println .}}{{end}}{{range .RepoDigests}}{{println .}}{{end}}';
      const text = await host.output(
        `docker image ls --quiet | sort -u | xargs docker image inspect --format '${format}'`,
      );
      const found = text.split('\n').filter(Boolean);
      return found.filter((name) => !/^landfall\.local\/.*@/.test(name)).sort();
    }
  });
}

/** Retries as often as the bootstrap, and prints the reason of a failure. */
const fetch = 'curl --silent --show-error --fail --retry 5 --retry-all-errors';

/** Debian 13 has Docker's client in a separate package. */
const installEngine = `export DEBIAN_FRONTEND=noninteractive && apt-get -q update &&
  apt-get -qy install --no-install-recommends docker.io \\
    $(apt-cache search --names-only '^docker-cli$' | cut -d' ' -f1)`;
