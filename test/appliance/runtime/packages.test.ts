import { describe, expect, it } from 'vitest';
import { sourcesText } from '../../../appliance/runtime/docker-repository.ts';
import { dockerPackages } from '../../../appliance/runtime/packages.ts';

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
