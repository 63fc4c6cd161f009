import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { balancerState } from '../../../appliance/nodes/balancer/socket.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { renderBalancer } from '../../../appliance/stages/stack/components/balancer/configuration.ts';
import { stackInput } from '../../appliance/stages/stack/stack-input.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { needs } from '../needs.ts';

const { describe, engine, registry } = needs('engine', 'registry');
const withCompose = needs('composePlugin');
const composeFile = fileURLToPath(new URL('../../../compose/compose.yaml', import.meta.url));

describe('the container of HAProxy', () => {
  const image = `${registry}/library/haproxy:3.2.23-alpine3.24`;
  const env = { DOCKER_HOST: `unix://${engine}` };
  const docker = async (...args: string[]) => (await execa('docker', args, { env })).stdout;
  const ca = new CertificateAuthority().cert;
  const nodes = Array.from({ length: 40 }, (_, index) => ({
    ...{ name: `node${index}`, slots: 4, weight: index + 1, backup: index % 3 === 0 },
    ...(index % 2 === 0
      ? { url: `https://node${index}.invalid`, models: ['qwen3:8b', `m${index % 7}:1b`] }
      : { url: `https://192.0.2.${index}:11443`, ca }),
  }));
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-balancer-'));
    await execa('chmod', ['755', folder]);
    const releaseModels = [
      { name: 'qwen3:8b', role: 'chat', size: 1, manifest: `sha256:${'a'.repeat(64)}` } as const,
    ];
    const input = { ...stackInput({ ca, engines: { nodes } }), releaseModels };
    for (const { path, content, mode } of renderBalancer(input)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content, { mode });
    }
    const pair = new CertificateAuthority().issue({ usage: 'clientAuth' });
    const pairFile = join(folder, 'balancer/client.pem');
    await writeFile(pairFile, `${pair.cert}${pair.key}`, { mode: 0o400 });
    await execa('chown', ['99:99', pairFile]);
    const { services } = parse(await readFile(composeFile, 'utf8'), { merge: true });
    const { user, entrypoint, tmpfs } = services.balancer;
    const [program, ...args] = entrypoint;
    await docker('pull', '--quiet', image);
    await docker(
      ...['run', '--detach', '--name', 'landfall-balancer', '--network', 'none', '--user', user],
      ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true', '--read-only'],
      ...['--memory', '256m', '--pids-limit', '64', '--tmpfs', tmpfs[0]],
      ...['--volume', `${join(folder, 'balancer')}:/etc/landfall-balancer:ro`],
      ...['--entrypoint', program, image, ...args],
    );
  });
  afterAll(async () => {
    await docker('rm', '--force', 'landfall-balancer');
    await rm(folder, { recursive: true, force: true });
  });

  it('runs without privileges with 40 nodes, and is healthy', async () => {
    const { services } = parse(await readFile(composeFile, 'utf8'), { merge: true });
    const [, ...probe] = services.balancer.healthcheck.test;
    const isHealthy = () => docker('exec', 'landfall-balancer', ...probe).then(() => true);
    await expect.poll(() => isHealthy().catch(() => false), { timeout: 20_000 }).toBe(true);
  });

  it('reports its servers to the commands through the socket in the container', async () => {
    const host = new Host('/', async (file, args, options = {}) => {
      const { stdout } = await execa(file, args, { env, input: options.input ?? '' });
      return { code: 0, stdout, stderr: '' };
    });
    const { servers } = await balancerState(host);
    expect(servers).toHaveLength(41);
    expect(new Set(servers.map(({ name }) => name)).size).toBe(41);
  });
});

withCompose.describe('the stack of a site with engines', () => {
  it('sends the chat UI to HAProxy, whose egress no other component has', async () => {
    const files = [composeFile, join(dirname(composeFile), 'balancer/ui.yaml')];
    const { stdout } = await execa(
      withCompose.composePlugin,
      [...files.flatMap((file) => ['--file', file]), 'config', '--format', 'json'],
      { env: { COMPOSE_PROFILES: 'balancer', BALANCER_URLS: 'http://balancer:11434' } },
    );
    const { services } = JSON.parse(stdout);
    expect(services.ui.environment).toMatchObject({
      OLLAMA_BASE_URL: 'http://balancer:11434',
      OLLAMA_BASE_URLS: 'http://balancer:11434',
      ENABLE_FORWARD_USER_INFO_HEADERS: 'True',
    });
    expect(Object.keys(services.ui.depends_on).sort()).toEqual(['balancer', 'engine']);
    expect(Object.keys(services.balancer.networks).sort()).toEqual(['models', 'nodes']);
    expect(services.balancer.ports).toBeUndefined();
  });
});
