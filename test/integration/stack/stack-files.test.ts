import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderStack } from '../../../appliance/stages/stack/render-stack.ts';
import { everything, stackInput, tag } from '../../appliance/stages/stack/stack-input.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { needs } from '../needs.ts';

const composeFolder = fileURLToPath(new URL('../../../compose', import.meta.url));
const withCompose = needs('composePlugin');
const withNginx = needs('engine', 'registry');

/** Sites with different rendered files. */
const sites: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
  ['all features', everything],
  ['the minimum', {}],
  ['all features and TLS off', { ...everything, tls: { mode: 'off' } }],
  ['the minimum and TLS off', { tls: { mode: 'off' } }],
  ['a name for the UI alone', { hosts: { ui: 'chat.example.com' } }],
  ['a name for documentation alone', { hosts: { docs: 'docs.example.com' } }],
];

interface Health {
  readonly start_interval?: string;
  readonly start_period?: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function render(site: Record<string, unknown>, trusted = false): Promise<string> {
  const state = await mkdtemp(join(folder, 'state-'));
  const gatewayConfiguration = await readFile(join(composeFolder, 'gateway/nginx.conf'), 'utf8');
  const input = stackInput(site, { trustedCertificate: trusted, gatewayConfiguration });
  for (const { path, content } of renderStack(input)) {
    const file = join(state, 'stack', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return state;
}

withCompose.describe('docker compose config', () => {
  const config = async (state: string, ...overrides: string[]) => {
    const files = ['compose.yaml', ...overrides].flatMap((file) => [
      '--file',
      join(composeFolder, file),
    ]);
    const { stdout } = await execa(
      withCompose.composePlugin,
      [
        ...['--env-file', join(state, 'stack', '.env'), ...files, '--profile', '*'],
        ...['config', '--format', 'json'],
      ],
      { env: { LANDFALL_STATE: state } },
    );
    return JSON.parse(stdout);
  };

  it.each(sites)('accepts the stack of a site with %s', async (_what, site) => {
    const { services } = await config(await render(site));
    expect(Object.keys(services).sort()).toEqual(
      ['acme', 'balancer', 'chat', 'engine', 'gateway', 'lobe', 'relay', 'tinyproxy', 'ui'].sort(),
    );
  });

  it('publishes 80 and 443 to the world, and everything else on loopback', async () => {
    const web = ['http-port', 'ipv6-ports', 'http-ipv6-port'].map((name) => `gateway/${name}.yaml`);
    const { services } = await config(await render(everything), ...web);
    const ports = Object.values(services as Record<string, { ports?: Published[] }>).flatMap(
      ({ ports = [] }) =>
        ports.map((port) => `${port.host_ip ?? '*'}:${port.published}:${port.target}`),
    );
    expect(ports.sort()).toEqual(
      [
        ...['0.0.0.0:80:80', '0.0.0.0:443:443', ':::80:80', ':::443:443'],
        ...['127.0.0.1:3000:8080', '127.0.0.1:3001:3000'],
        ...['127.0.0.1:3210:3210', '127.0.0.1:8888:8888', '127.0.0.1:11434:11434'],
        ...['127.0.0.1:8080:8080', '127.0.0.1:8090:8090'],
      ].sort(),
    );
  });

  it('moves a port that a site wants elsewhere', async () => {
    const { services } = await config(await render({ ports: { ui: 3500 } }));
    expect(services.ui.ports[0].published).toBe('3500');
  });

  it('shows no secret in its output', async () => {
    const input = stackInput(everything);
    const text = JSON.stringify(await config(await render(everything)));
    for (const value of Object.values(input.secrets)) expect(text).not.toContain(value);
  });

  it('reserves GPUs of NVIDIA with driver, count and capabilities (SPEC 2.4)', async () => {
    const { services } = await config(await render({}), 'engine/gpu-nvidia.yaml');
    expect(services.engine.deploy.resources.reservations.devices).toEqual([
      { capabilities: ['gpu'], driver: 'nvidia', count: -1 },
    ]);
    expect(services.engine.deploy.resources.limits.memory).toBeDefined();
  });

  it("lets Ollama read the site's certificate authorities, and not change them", async () => {
    const state = await render({ ca: new CertificateAuthority().cert });
    const { services } = await config(state, 'engine/site-ca.yaml');
    const { environment, volumes } = services.engine;
    const mounted = volumes.find(
      ({ target }: { target: string }) => target === environment.SSL_CERT_FILE,
    );
    expect(mounted).toMatchObject({ type: 'bind', read_only: true });
    expect(await readFile(mounted.source, 'utf8')).toContain('BEGIN CERTIFICATE');
  });

  it('connects the relay to Ollama, and own machines to no other component', async () => {
    const { services, networks } = await config(
      await render(everything),
      ...['relay/local.yaml', 'relay/own-machines.yaml'],
    );
    expect(Object.keys(services.relay.networks).sort()).toEqual([
      ...['egress', 'inside', 'models', 'outside'],
    ]);
    for (const [name, service] of Object.entries<{ networks?: object }>(services))
      if (name !== 'relay') expect(Object.keys(service.networks ?? {})).not.toContain('egress');
    // Docker takes the default gateway from the first network with one.
    const egress = Object.entries<{ name: string; internal?: boolean }>(networks)
      .filter(([name, { internal }]) => name in services.relay.networks && !internal)
      .map(([, { name }]) => name);
    expect(egress.sort()[0]).toBe('landfall_egress');
  });

  it('probes every component frequently during its start, and every ten seconds afterwards', async () => {
    const { services } = await config(await render(everything), 'start-interval.yaml');
    for (const [name, { healthcheck }] of Object.entries<Record<string, Health>>(services)) {
      if (name === 'acme') continue;
      expect(healthcheck, name).toMatchObject({ interval: '10s', test: expect.anything() });
      expect(healthcheck?.start_interval, name).toMatch(/^[12]s$/);
      // Docker ignores one without the other.
      expect(healthcheck?.start_period, name).toMatch(/m/);
    }
  });

  it('maps the devices of AMD GPUs into Ollama', async () => {
    const { services } = await config(await render({}), 'engine/gpu-rocm.yaml');
    expect(services.engine.image).toBe(`landfall.local/engine-rocm:${tag}`);
    expect(services.engine.devices).toHaveLength(2);
  });
});

withNginx.describe('nginx', () => {
  const authority = new CertificateAuthority();
  const image = `${withNginx.registry}/library/nginx:1.30.7-alpine`;
  const docker = (...args: string[]) =>
    execa('docker', args, { env: { DOCKER_HOST: `unix://${withNginx.engine}` }, reject: false });

  /** Container paths of the files of a site. */
  async function mounted(site: Record<string, unknown>, trusted: boolean): Promise<string[]> {
    const state = await render(site, trusted);
    const { cert, key } = authority.issue();
    for (const pair of ['site', 'other']) {
      const tls = join(state, 'stack/gateway/tls', pair);
      await mkdir(tls, { recursive: true });
      await writeFile(join(tls, 'fullchain.pem'), cert);
      await writeFile(join(tls, 'privkey.pem'), key);
    }
    return [
      ...[
        '--rm',
        '--network',
        network,
        '--network-alias',
        'ui',
        '--tmpfs',
        '/var/log/landfall',
        '--entrypoint',
        'nginx',
      ],
      ...['-v', `${join(state, 'stack/gateway')}:/etc/nginx/landfall:ro`],
      ...[image, '-c', '/etc/nginx/landfall/nginx.conf'],
    ];
  }

  const test = async (site: Record<string, unknown>, trusted: boolean) =>
    docker('run', ...(await mounted(site, trusted)), '-t', '-e', '/dev/stderr');

  // The UI's name resolves to nginx itself, where the port is closed: nginx does not wait for
  // upstreams.
  const network = 'landfall-stack-files';
  beforeAll(async () => {
    await docker('pull', '--quiet', image);
    await docker('network', 'create', '--internal', network);
  });
  afterAll(() => docker('network', 'rm', network));

  it.each(sites)('accepts the files of a site with %s', async (_what, site) => {
    for (const trusted of [false, true]) {
      const { exitCode, stderr } = await test(site, trusted);
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
      expect(stderr).not.toContain('[warn]');
    }
  });

  it.each([
    ['127.0.0.1', 200, 502],
    ['proxy.local', 200, 403],
    ['rebound.example.org', 200, 403],
  ])(
    'serves the health endpoint for %s without TLS, and the UI for addresses only',
    async (host, ...wanted) => {
      const options = await mounted({ tls: { mode: 'off' } }, false);
      const started = await docker(
        'run',
        '-d',
        ...options,
        '-e',
        '/dev/stderr',
        '-g',
        'daemon off;',
      );
      const name = started.stdout;
      const status = async (path: string) => {
        const ask = ['wget', '-S', '-O', '/dev/null', '--header', `Host: ${host}`];
        const { stderr } = await docker('exec', name, ...ask, `http://127.0.0.1${path}`);
        return Number(/HTTP\/1\.1 (\d+)/.exec(stderr)?.[1]);
      };
      const health = '/.well-known/landfall/health';
      try {
        await expect.poll(() => status(health), { timeout: 60_000 }).toBeGreaterThan(0);
        expect([await status(health), await status('/')]).toEqual(wanted);
      } finally {
        await docker('rm', '--force', name);
      }
    },
  );
});

interface Published {
  readonly host_ip?: string;
  readonly published: string;
  readonly target: number;
}
