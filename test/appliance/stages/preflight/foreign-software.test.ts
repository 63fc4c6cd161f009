import { describe, expect, it } from 'vitest';
import { journalFile } from '#contract/server-paths.ts';
import { checkForeignSoftware } from '../../../../appliance/stages/preflight/foreign-software.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

/** No other software is installed or running. */
const nothing: Answers = { 'dpkg-query': 1, 'docker ps': '', 'systemctl list-unit-files': '' };

async function messages(files: Record<string, string>, answers: Answers): Promise<string[]> {
  const host = TemporaryHost.with(files, { ...nothing, ...answers });
  return (await checkForeignSoftware(contextFor(host))).map(({ message }) => message);
}

const withEngine = { 'usr/bin/docker': '' };

describe('a fresh server', () => {
  it('finds no conflicts on a fresh server', async () => {
    expect(await messages({}, {})).toEqual([]);
  });

  it('may have Docker of the distribution without containers', async () => {
    expect(await messages(withEngine, {})).toEqual([]);
  });

  it('may have a Docker that is not running', async () => {
    expect(await messages(withEngine, { 'docker ps': 1 })).toEqual([]);
  });
});

describe('a server with other software', () => {
  it('reports every package of another Docker', async () => {
    const stdout = 'docker-ce installed\ncontainerd.io installed\npodman-docker not-installed';
    expect(await messages({}, { 'dpkg-query': { code: 1, stdout } })).toEqual([
      'conflicting Docker packages are installed: docker-ce, containerd.io',
    ]);
  });

  it('reports container software installed without a package', async () => {
    expect(await messages({ 'snap/bin/docker': '', 'usr/local/bin/k3s': '' }, {})).toEqual([
      'Docker from a snap is installed',
      'k3s is installed',
    ]);
  });

  it('reports running containers', async () => {
    const found = await messages(withEngine, { 'docker ps': 'landfall-ui\ncoolify\nlandfallen' });
    expect(found).toEqual(['other containers are running: coolify, landfallen']);
  });

  it('reports web servers that start at the next boot', async () => {
    const units = 'nginx.service  enabled enabled\napache2.service enabled enabled';
    expect(await messages({}, { 'systemctl list-unit-files': units })).toEqual([
      'the web server nginx is enabled at boot',
      'the web server apache2 is enabled at boot',
    ]);
  });

  it('reports another firewall that starts at the next boot', async () => {
    const units = 'firewalld.service  enabled enabled';
    expect(await messages({}, { 'systemctl list-unit-files': units })).toEqual([
      'another firewall, firewalld, is enabled at boot',
    ]);
  });

  it('reports all conflicts at once', async () => {
    const found = await messages(withEngine, {
      'dpkg-query': 'docker-ce installed',
      'docker ps': 'coolify',
      'systemctl list-unit-files': 'caddy.service enabled enabled',
    });
    expect(found).toHaveLength(3);
  });
});

describe('a server where Landfall runs', () => {
  it.each(['applied', 'started'])(
    "may run other containers, with Docker's own packages, once the runtime stage was %s",
    async (event) => {
      const at = '2026-01-01T00:00:00.000Z';
      const entry = JSON.stringify({ at, release: '1.0.0', stage: 'runtime', event });
      const files = { ...withEngine, [journalFile]: `${entry}\n` };
      const found = { 'docker ps': 'landfall-ui\nmine', 'dpkg-query': 'docker-ce installed' };
      expect(await messages(files, found)).toEqual([]);
    },
  );
});
