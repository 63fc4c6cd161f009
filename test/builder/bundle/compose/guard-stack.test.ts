import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serviceNames } from '#contract/component-names.ts';
import {
  composeSchema,
  overrideSchema,
} from '../../../../builder/bundle/compose/compose-schema.ts';
import { guardOverride, guardStack } from '../../../../builder/bundle/compose/guard-stack.ts';

const good = {
  image: 'landfall.local/ui:${UI_TAG}',
  pull_policy: 'never',
};

function problemsOf(service: object, name = 'ui'): string[] {
  const file = composeSchema.parse({ services: { [name]: { ...good, ...service } } });
  return guardStack(file, ['ui', 'gateway', 'engine']).problems.map(({ message }) => message);
}

describe('an allowed service', () => {
  it('runs a component of the appliance and is never pulled', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it.each([
    ['a loopback port', { ports: ['127.0.0.1:3000:8080'] }],
    [
      'a loopback port in the long form',
      { ports: [{ target: 8080, published: 3000, host_ip: '127.0.0.1' }] },
    ],
    ['a named volume', { volumes: ['ui-data:/app/backend/data'] }],
    [
      'a file beside the compose file',
      { volumes: ['./gateway/nginx.conf:/etc/nginx/nginx.conf:ro'] },
    ],
    [
      'a file that the server makes',
      { volumes: ['${LANDFALL_STATE:-/var/lib/landfall}/stack/relay:/etc/landfall-relay:ro'] },
    ],
    ['the devices of an AMD GPU', { devices: ['/dev/kfd', '/dev/dri'] }],
    ['a harmless capability', { cap_add: ['CHOWN'] }],
    [
      'a secret that the server fills in',
      { environment: ['WEBUI_SECRET_KEY=${WEBUI_SECRET_KEY}'] },
    ],
    [
      'a secret that the server must fill in',
      { environment: { API_KEY: '${API_KEY:?set on the server}' } },
    ],
    [
      'devices for a GPU',
      {
        deploy: {
          resources: {
            reservations: { devices: [{ driver: 'nvidia', count: 'all', capabilities: ['gpu'] }] },
          },
        },
      },
    ],
  ])('may have %s', (_what, service) => {
    expect(problemsOf(service)).toEqual([]);
  });

  it('may publish 80, 443 and the port of an engine node when it is the gateway', () => {
    const image = 'landfall.local/gateway:${GATEWAY_TAG}';
    expect(problemsOf({ image, ports: ['80:80', '443:443'] }, 'gateway')).toEqual([]);
    expect(problemsOf({ image, ports: ['0.0.0.0:80:80', '[::]:443:443'] }, 'gateway')).toEqual([]);
    expect(problemsOf({ image, ports: ['[::]:11443:11443'] }, 'gateway')).toEqual([]);
    const moved = '0.0.0.0:${GATEWAY_HTTPS:-443}:443';
    expect(problemsOf({ image, ports: [moved] }, 'gateway')).toEqual([]);
    expect(problemsOf({ image, ports: [moved] }, 'ui')).toHaveLength(1);
    expect(problemsOf({ image, ports: ['0.0.0.0:22:22'] }, 'gateway')).toHaveLength(1);
    expect(problemsOf({ image, ports: ['80:80'] }, 'constructor')).toHaveLength(1);
  });
});

describe('a rejected service', () => {
  it.each([
    ['an image from a registry', { image: 'nginx:latest' }, 'not an image of the release'],
    [
      'an image of this release by another tag',
      { image: 'landfall.local/ui:latest' },
      'not an image of the release',
    ],
    [
      'the tag of another component',
      { image: 'landfall.local/ui:${ENGINE_TAG}' },
      'not an image of the release',
    ],
    [
      'a component that the appliance lacks',
      { image: 'landfall.local/db:${DB_TAG}' },
      'does not have',
    ],
    ['no pull policy', { pull_policy: undefined }, 'may be pulled'],
    ['another pull policy', { pull_policy: 'missing' }, 'may be pulled'],
    ['a build', { build: '.' }, 'built on the server'],
    ['all privileges', { privileged: true }, 'privileged'],
    ['the network of the host', { network_mode: 'host' }, 'network_mode'],
    ['the processes of the host', { pid: 'host' }, 'pid'],
    ['a public port', { ports: ['3000:8080'] }, "bypasses the server's firewall"],
    ['a public port without a host part', { ports: ['8080'] }, "bypasses the server's firewall"],
    ['a port on all addresses', { ports: ['0.0.0.0:3000:8080'] }, "bypasses the server's firewall"],
    [
      'a public port in the long form',
      { ports: [{ target: 8080, published: 3000 }] },
      "bypasses the server's firewall",
    ],
    [
      'the Docker socket',
      { volumes: ['/var/run/docker.sock:/var/run/docker.sock'] },
      'docker.sock',
    ],
    ['a path of the host', { volumes: ['/etc:/host-etc:ro'] }, 'mounts the host path /etc'],
    [
      'a path out of the folder',
      { volumes: ['./../secrets:/s'] },
      'mounts the host path ./../secrets',
    ],
    [
      'a path out of the state of the server',
      { volumes: ['${LANDFALL_STATE:-/var/lib/landfall}/../../etc:/host-etc'] },
      'mounts the host path ${LANDFALL_STATE',
    ],
    ['another default for the state', { volumes: ['${LANDFALL_STATE:-/etc}/x:/x'] }, 'mounts'],
    ['all capabilities', { cap_add: ['ALL'] }, 'capability ALL'],
    ['a strong capability', { cap_add: ['CAP_SYS_ADMIN'] }, 'capability CAP_SYS_ADMIN'],
    ['no seccomp filter', { security_opt: ['seccomp=unconfined'] }, 'seccomp=unconfined'],
    ['a disk of the host', { devices: ['/dev/sda:/dev/sda'] }, 'not a GPU'],
    ['a home folder', { volumes: ['~/x:/x'] }, 'mounts the host path ~/x'],
    [
      'a bind mount in the long form',
      { volumes: [{ type: 'bind', source: '/root', target: '/r' }] },
      'mounts the host path /root',
    ],
    ['a secret in the file', { environment: ['PROVIDER_API_KEY=abc'] }, 'PROVIDER_API_KEY'],
    [
      'a secret as a default',
      { environment: ['WEBUI_SECRET_KEY=${WEBUI_SECRET_KEY:-changeme}'] },
      'WEBUI_SECRET_KEY',
    ],
    [
      'a password in the map form',
      { environment: { TINYPROXY_PASSWORD: 'x' } },
      'TINYPROXY_PASSWORD',
    ],
  ])('rejects a service with %s', (_what, service, message) => {
    expect(problemsOf(service)).toEqual([expect.stringContaining(message)]);
  });

  it('reports all problems at once, without the secret', () => {
    const problems = problemsOf({
      privileged: true,
      ports: ['1:1'],
      environment: ['X_TOKEN=very-secret'],
    });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('very-secret');
  });

  it('publishes the gateway ports without being the gateway', () => {
    expect(problemsOf({ ports: ['80:80'] })).toHaveLength(1);
    expect(problemsOf({ ports: ['0.0.0.0:11443:11443'] })).toHaveLength(1);
    expect(problemsOf({ ports: ['0.0.0.0:80:80'] })).toHaveLength(1);
    expect(problemsOf({ ports: ['[::]:443:443'] })).toHaveLength(1);
  });
});

describe('a stack with secrets in files', () => {
  it.each([
    ['/etc/shadow', 1],
    ['./../x', 1],
    [undefined, 1],
    ['${LANDFALL_STATE:-/var/lib/landfall}/stack/ui/secrets.env', 0],
  ])('checks a stack with %s for a secret file: %i problems', (path, count) => {
    const file = composeSchema.parse({ services: { ui: good }, secrets: { x: { file: path } } });
    expect(guardStack(file, ['ui']).problems).toHaveLength(count);
  });
});

describe('an override file', () => {
  const judge = (service: object) =>
    guardOverride(overrideSchema.parse({ services: { engine: service } }), new Set(['engine']));

  it('may add devices without naming an image', () => {
    expect(judge({ devices: ['/dev/kfd'] })).toEqual([]);
  });

  it('rejects an override file for the same problems as the stack', () => {
    expect(
      judge({ image: 'ollama/ollama', privileged: true, ports: ['11434:11434'] }),
    ).toHaveLength(3);
  });
});

describe('the stack that Landfall ships', () => {
  const path = fileURLToPath(new URL('../../../../compose/compose.yaml', import.meta.url));
  const file = composeSchema.parse(parse(readFileSync(path, 'utf8'), { merge: true }));

  it('passes its own guard', () => {
    expect(guardStack(file, serviceNames).problems).toEqual([]);
  });

  it('ships a stack with the top-level keys and the version of the specification', () => {
    expect(file.version).toBe('3.8');
    expect(Object.keys(file)).toEqual(expect.arrayContaining(['services', 'networks', 'volumes']));
  });

  const steady = Object.entries(file.services).filter(([name]) => name !== 'acme');

  it.each(steady)('restarts %s unless it was stopped', (_name, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.container_name).toMatch(/^landfall-/);
  });

  it('starts the certificate client only on request', () => {
    expect(file.services.acme).toMatchObject({ restart: 'no', profiles: ['acme'] });
  });

  it.each(Object.entries(file.services))('drops all capabilities of %s', (_name, service) => {
    expect(service.cap_add).toEqual([]);
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      deploy: { resources: { limits: { memory: expect.anything(), pids: expect.anything() } } },
    });
  });
});
