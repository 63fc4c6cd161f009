import { describe, expect, it } from 'vitest';
import { siteFile, stoppedFile, swarmFolder } from '#contract/server-paths.ts';
import {
  componentsCheck,
  containerHostNameCheck,
  containerProxyCheck,
  engineCheck,
  memoryCheck,
} from '../../../../../appliance/operations/doctor/checks/containers.ts';
import { probeAnswers } from '../../../answers.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { type ContainerParts, containers, english, look } from '../look.ts';

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

  it('says where a node of a Swarm that runs no Ollama may be drained', async () => {
    const host = TemporaryHost.with(
      {
        [siteFile]: JSON.stringify({ ...JSON.parse(site[siteFile] ?? ''), role: 'engine-node' }),
        [`${swarmFolder}/node.json`]: '{}',
      },
      { 'docker ps': (command) => (command.includes('swarm') ? '' : up('gateway')) },
    );
    const [finding] = await (componentsCheck.needs === 'server' ? componentsCheck.run(host) : []);
    expect(finding).toMatchObject({
      text: english('engine is missing'),
      details: ['sudo landfall first-boot', expect.stringContaining('sudo landfall node list')],
    });
    expect(finding).not.toHaveProperty('fix');
  });

  it('accepts a component that an administrator stopped', async () => {
    const rows = ['engine', 'tinyproxy', 'gateway'].map(up);
    const stopped = { schema: 1, stopped: { ui: '2026-11-25T02:10:00.000Z' } };
    const host = TemporaryHost.with(
      { ...site, [stoppedFile]: JSON.stringify(stopped) },
      { 'docker ps': [...rows, 'ui\texited\tFalse\tExited (0) 2 minutes ago'].join('\n') },
    );
    expect(await look(componentsCheck, host)).toEqual([]);
  });

  it('finds a Docker that does not respond, starts it and waits for its components', async () => {
    const host = TemporaryHost.with(site, {
      'docker ps': 1,
      'systemctl reset-failed docker.service': '',
      'systemctl start docker.service': '',
      'docker exec landfall-gateway kill -HUP 1': '',
    });
    expect(await look(componentsCheck, host)).toEqual([
      ['DOCKER_DOWN', 'docker', expect.stringMatching(/^Docker is not responding: /)],
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

describe('the check of memory', () => {
  it('finds a container that the kernel killed', async () => {
    const parts = [{ name: 'landfall-engine', oom: true }, { name: 'landfall-ui' }];
    expect(await look(memoryCheck, TemporaryHost.with({}, containers(...parts)))).toEqual([
      [
        'OUT_OF_MEMORY',
        'landfall-engine',
        'the container landfall-engine was killed because it exceeded its memory',
      ],
    ]);
  });

  it('finds nothing without containers', async () => {
    expect(await look(memoryCheck, TemporaryHost.with({}, { 'docker ps': '' }))).toEqual([]);
  });
});

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

describe('the check of the proxy of the inference engine', () => {
  const site = { route: { mode: 'http-proxy', url: 'http://proxy.example:3128' } };
  const engine = containers({ name: 'landfall-engine', pid: 42 });
  const server = (environ: string) => TemporaryHost.with({ 'proc/42/environ': environ }, engine);

  it('finds an engine without the proxy of the site', async () => {
    expect(await look(containerProxyCheck, server('PATH=/bin\0HOME=/\0'), { site })).toEqual([
      [
        'CONTAINER_WITHOUT_PROXY',
        'landfall-engine',
        'the container landfall-engine does not use the proxy of the site',
      ],
    ]);
  });

  it('accepts an engine with it', async () => {
    const environ = 'PATH=/bin\0HTTPS_PROXY=http://proxy.example:3128\0';
    expect(await look(containerProxyCheck, server(environ), { site })).toEqual([]);
  });

  it('returns no finding on the proxy of the inference engine on a direct route', async () => {
    expect(await look(containerProxyCheck, TemporaryHost.with({}))).toEqual([]);
  });
});

const networks = { models: ['engine', 'landfall-engine'] };
const engine = { name: 'landfall-engine', networks };
const ui = {
  name: 'landfall-ui',
  env: ['OLLAMA_BASE_URL=http://engine:11434'],
  networks: { models: ['ui'] },
};
const address = { 'docker inspect --format': '', 'ip -json': '[]' };
const server = (...parts: readonly ContainerParts[]) =>
  TemporaryHost.with({}, { ...probeAnswers, ...containers(...parts), ...address });
const down = ['UI_WITHOUT_ENGINE', 'ui', expect.stringMatching(/^Ollama does not answer: /)];

describe('the check of the connection from the chat UI to Ollama', () => {
  it('finds a wrong OLLAMA_BASE_URL, and an Ollama that does not answer', async () => {
    const wrong = { ...ui, env: ['OLLAMA_BASE_URL=http://localhost:11434'] };
    expect(await look(engineCheck, server(wrong, engine))).toEqual([
      [
        'UI_WITHOUT_ENGINE',
        'ui',
        'OLLAMA_BASE_URL of the chat UI is http://localhost:11434 instead of http://engine:11434',
      ],
      down,
    ]);
  });

  it('expects HAProxy as the endpoint on a server with engines', async () => {
    const engines = { nodes: [{ name: 'gpu1', url: 'https://gpu1.example.com' }] };
    const balanced = { ...ui, env: ['OLLAMA_BASE_URL=http://balancer:11434'] };
    const options = { site: { engines } };
    expect(await look(engineCheck, server(balanced, engine), options)).toEqual([down]);
    expect(
      (await look(engineCheck, server(ui, engine), options)).map(([, , text]) => text),
    ).toEqual([expect.stringContaining('instead of http://balancer:11434'), expect.anything()]);
  });

  it('finds a missing network', async () => {
    const apart = { ...engine, networks: { other: ['engine'] } };
    expect(await look(engineCheck, server(ui, apart))).toEqual([
      ['UI_WITHOUT_ENGINE', 'ui', 'the chat UI shares no network with Ollama'],
      down,
    ]);
  });

  it('leaves a component that is not running to its own finding', async () => {
    expect(await look(engineCheck, server(ui, { ...engine, running: false }))).toEqual([]);
  });
});
