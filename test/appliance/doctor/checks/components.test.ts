import { describe, expect, it } from 'vitest';
import { siteFile } from '#contract/server-paths.ts';
import { componentsCheck } from '../../../../appliance/doctor/checks/components.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const site = {
  [siteFile]: JSON.stringify({
    release: ['http://192.0.2.1/landfall/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
  }),
};
const up = (name: string) => `${name}\trunning\tFalse\tUp 5 minutes (healthy)`;

describe('the check of the components', () => {
  it('finds nothing while all are up', async () => {
    const rows = ['engine', 'ui', 'tinyproxy', 'gateway'].map(up).join('\n');
    expect(await look(componentsCheck, TemporaryHost.with(site, { 'docker ps': rows }))).toEqual(
      [],
    );
  });

  it('finds stopped, unhealthy and missing ones', async () => {
    const rows = [
      'engine\texited\tFalse\tExited (0) 2 minutes ago',
      'ui\trunning\tFalse\tUp 5 minutes (unhealthy)',
      up('tinyproxy'),
    ].join('\n');
    expect(await look(componentsCheck, TemporaryHost.with(site, { 'docker ps': rows }))).toEqual([
      ['COMPONENT_DOWN', 'engine', 'engine is exited'],
      ['COMPONENT_DOWN', 'ui', 'ui is running, unhealthy'],
      ['COMPONENT_DOWN', 'gateway', 'gateway is missing'],
    ]);
  });

  it('finds a Docker that does not respond, starts it and waits for its components', async () => {
    const host = TemporaryHost.with(site, {
      'docker ps': 1,
      'systemctl reset-failed docker.service': '',
      'systemctl start docker.service': '',
      'docker exec landfall-gateway kill -HUP 1': '',
    });
    expect(await look(componentsCheck, host)).toEqual([
      ['DOCKER_DOWN', 'docker', expect.stringMatching(/^Docker does not respond: /)],
    ]);
    const [finding] = componentsCheck.needs === 'server' ? await componentsCheck.run(host) : [];
    expect(finding?.fix?.does.en).toBe('start Docker and its components');
    const stages: string[] = [];
    await finding?.fix?.apply({
      host,
      runStage: async (name) => {
        expect(host.ran.at(-1)).toBe('systemctl start docker.service');
        stages.push(name);
      },
    });
    expect(stages).toEqual(['stack']);
    expect(host.ran.at(-1)).toBe('docker exec landfall-gateway kill -HUP 1');
  });
});
