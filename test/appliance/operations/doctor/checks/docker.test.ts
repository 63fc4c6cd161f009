import { describe, expect, it } from 'vitest';
import { dockerVersionCheck } from '../../../../../appliance/operations/doctor/checks/docker.ts';
import { policyOf } from '../../../answers.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

function server(running: string | number, ...stanzas: string[]) {
  const answers = { 'apt-cache policy': stanzas.join(''), 'docker version': running };
  return TemporaryHost.with({}, answers);
}

describe('the check of the version of Docker', () => {
  it.each([
    ['Debian', '26.1.5+dfsg1', policyOf('docker.io', '26.1.5+dfsg1-9+b4')],
    ['Docker Inc.', '29.1.3', policyOf('docker-ce', '5:29.1.3-1~debian.13~trixie')],
    ['Ubuntu', '29.1.3', policyOf('docker.io', '29.1.3-0ubuntu3~24.04.2')],
  ])('accepts a current Docker of %s', async (_source, running, stanza) => {
    const none = policyOf('runc', '(none)', '1.3.3-0ubuntu1');
    expect(await look(dockerVersionCheck, server(running, stanza, none))).toEqual([]);
  });

  it('finds packages that automatic upgrades leave behind, with both versions', async () => {
    const docker = policyOf('docker.io', '24.0.7-0ubuntu4', '29.1.3-0ubuntu3~24.04.2');
    const runc = policyOf('runc', '1.1.12-0ubuntu3', '1.3.3-0ubuntu1~24.04.3');
    expect(await look(dockerVersionCheck, server('24.0.7', docker, runc))).toEqual([
      [
        'DOCKER_OUTDATED',
        'docker.io',
        'docker.io 24.0.7-0ubuntu4 is installed, and 29.1.3-0ubuntu3~24.04.2 is available',
      ],
      [
        'DOCKER_OUTDATED',
        'runc',
        'runc 1.1.12-0ubuntu3 is installed, and 1.3.3-0ubuntu1~24.04.3 is available',
      ],
    ]);
  });

  it('finds a dockerd whose package was raised in place, with both versions', async () => {
    const raised = policyOf('docker.io', '29.1.3-0ubuntu3~24.04.2');
    expect(await look(dockerVersionCheck, server('24.0.7', raised))).toEqual([
      [
        'DOCKER_OUTDATED',
        'docker.io',
        'Docker 24.0.7 is running, and docker.io 29.1.3-0ubuntu3~24.04.2 is installed',
      ],
    ]);
  });

  it('leaves a Docker that is down to its own finding', async () => {
    expect(await look(dockerVersionCheck, server(1, policyOf('docker.io', '26.1.5')))).toEqual([]);
  });
});
