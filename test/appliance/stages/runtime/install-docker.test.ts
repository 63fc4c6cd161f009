import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dockerPackages,
  dockerSource,
  installDocker,
  sourcesText,
  warnOfDistribution,
} from '../../../../appliance/stages/runtime/install-docker.ts';
import { serve } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { aptAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const index = '/debian/dists/trixie/InRelease';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
let mirror: FaultyServer;

beforeEach(async () => {
  mirror = await FaultyServer.start({ [index]: serve(Buffer.from('an index')) });
});
afterEach(() => mirror.close());

interface Given {
  /** Packages that are installed at the start. */
  readonly installed?: readonly string[];
  /** Packages that apt cannot install. */
  readonly broken?: readonly string[];
  readonly docker?: Readonly<Record<string, unknown>>;
}

/** Returns a server whose apt installs the packages of its command line. */
function serverWith({ installed = [], broken = [], docker = {} }: Given = {}) {
  const present = new Set(installed);
  const host = TemporaryHost.with(
    { 'proc/sys/kernel/random/boot_id': 'now\n' },
    {
      ...aptAnswers,
      'dpkg-query': (line) => {
        const names = line.split(' ').filter((word) => present.has(word));
        return names.map((name) => `${name} installed`).join('\n');
      },
      'apt-get': (line) => {
        const names = line.split(' install --yes ')[1]?.split(' ') ?? [];
        if (names.some((name) => broken.includes(name))) return 100;
        for (const name of names) present.add(name);
        return 0;
      },
    },
  );
  const site = { docker: { mirror: mirror.origin, ...docker } };
  const context = contextFor(host, { site });
  return { host, context, present, hasSources: () => existsSync(host.path(sourcesFile)) };
}

describe('the installation of Docker', () => {
  it("uses Docker's own packages where their repository answers", async () => {
    const { context, present, hasSources } = serverWith();
    await installDocker(context);
    expect([...present]).toEqual(expect.arrayContaining(['docker-ce', 'containerd.io']));
    expect(present).not.toContain('docker.io');
    expect(hasSources()).toBe(true);
    await warnOfDistribution(context);
    expect(context.warned).toEqual([]);
  });

  it('uses the packages of the distribution where the repository does not answer', async () => {
    await mirror.close();
    const { context, present, hasSources } = serverWith();
    await installDocker(context);
    expect(present).toContain('docker.io');
    expect(hasSources()).toBe(false);
    expect(context.said).toContainEqual(
      expect.stringMatching(
        /^Docker's packages cannot be installed: .*; using those of the distribution$/,
      ),
    );
  });

  it('uses the packages of the distribution where the repository has none for it', async () => {
    const { context, present } = serverWith({ docker: { mirror: `${mirror.origin}/other` } });
    await installDocker(context);
    expect(present).toContain('docker.io');
    expect(context.said).toContainEqual(expect.stringContaining('status 404'));
  });

  it("uses the packages of the distribution if Docker's cannot be installed", async () => {
    const { context, present, hasSources } = serverWith({ broken: ['docker-ce'] });
    await installDocker(context, 0);
    expect(present).toContain('docker.io');
    expect(hasSources()).toBe(false);
  });

  it('keeps the packages that are installed, without a request', async () => {
    const { context, present } = serverWith({ installed: ['docker.io'] });
    await installDocker(context);
    expect(present).not.toContain('docker-ce');
    expect(await dockerSource(context)).toBe('distribution');
    expect(await dockerSource(serverWith({ installed: ['docker-ce'] }).context)).toBe('docker');
    expect(mirror.seen()).toEqual([]);
  });

  it.each([
    ['docker', 'docker-ce'],
    ['distribution', 'docker.io'],
  ])('uses the source of the site without a request: %s', async (source, name) => {
    const { context, present } = serverWith({ docker: { source } });
    await installDocker(context);
    expect(present).toContain(name);
    expect(mirror.seen()).toEqual([]);
  });

  it("fails if the site requires Docker's packages and they cannot be installed", async () => {
    const { context } = serverWith({ docker: { source: 'docker' }, broken: ['docker-ce'] });
    await expect(installDocker(context, 0)).rejects.toMatchObject({ code: 'APT_FAILED' });
  });
});

describe('the warning about a Docker of the distribution', () => {
  it('names the distribution and the two fields that change it', async () => {
    const { context } = serverWith({ installed: ['docker.io'] });
    await warnOfDistribution(context);
    expect(context.warnings).toMatchObject([{ kind: 'docker', subject: 'docker.io' }]);
    expect(context.warned[0]).toMatch(/debian 13.*docker\.mirror.*docker\.source/);
  });

  it('prints no warning about a Docker of the distribution if the site chose it', async () => {
    const docker = { source: 'distribution' };
    const { context } = serverWith({ installed: ['docker.io'], docker });
    await warnOfDistribution(context);
    expect(context.warned).toEqual([]);
  });
});

const docker = { docker: { source: 'docker' } } as const;

describe('Docker of the distribution', () => {
  it.each([
    ['debian', '12', false],
    ['debian', '13', true],
    ['ubuntu', '22.04', false],
    ['ubuntu', '24.04', false],
    ['ubuntu', '26.04', false],
  ])('on %s %s has the command docker in a separate package: %s', (id, version, own) => {
    const packages = dockerPackages({ distribution: { id, version } }, 'distribution');
    expect(packages).toContain('docker.io');
    expect(packages.includes('docker-cli')).toBe(own);
  });
});

describe("Docker's own packages", () => {
  const server = { distribution: { id: 'ubuntu', version: '24.04' }, codename: 'noble' };

  it('replace those of the distribution, which conflict with them', () => {
    const packages = dockerPackages(server, 'docker');
    expect(packages).toContain('docker-ce');
    expect(packages).not.toContain('docker.io');
  });

  it('uses the repository of Docker for this distribution, signed with its key only', () => {
    expect(sourcesText(server, docker)).toBe(
      [
        'Types: deb',
        'URIs: https://download.docker.com/linux/ubuntu',
        'Suites: noble',
        'Components: stable',
        'Signed-By: /etc/apt/keyrings/landfall-docker.asc',
        '',
      ].join('\n'),
    );
  });

  it('uses a mirror of the Docker packages if the site sets one', () => {
    const mirror = 'https://mirror.example.cn/docker-ce/linux/';
    expect(sourcesText(server, { docker: { source: 'docker', mirror } })).toContain(
      'URIs: https://mirror.example.cn/docker-ce/linux/ubuntu\n',
    );
  });
});
