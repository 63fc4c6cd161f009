import { describe, expect, it } from 'vitest';
import { containerHostNameCheck } from '../../../../appliance/doctor/checks/container-host-name.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { containers, look } from '../look.ts';

describe('the check of host.docker.internal', () => {
  const env = ['HTTPS_PROXY=http://host.docker.internal:7890', 'NO_PROXY=host.docker.internal'];

  it('finds a container that names the host and cannot resolve it', async () => {
    const host = TemporaryHost.with({}, containers({ name: 'mine', env }));
    expect(await look(containerHostNameCheck, host)).toEqual([
      [
        'HOST_NAME_IN_CONTAINER',
        'mine',
        'HTTPS_PROXY of the container mine names host.docker.internal, which the container cannot resolve',
      ],
    ]);
  });

  it('accepts a container that has the name as an extra host, or does not run', async () => {
    const extraHosts = ['host.docker.internal:172.17.0.1'];
    const parts = [
      { name: 'a', env, extraHosts },
      { name: 'b', env, running: false },
    ];
    expect(
      await look(containerHostNameCheck, TemporaryHost.with({}, containers(...parts))),
    ).toEqual([]);
  });
});
