import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { registryAccount } from '../setup/images/registry-account.ts';
import { inChroot } from './chroot.ts';
import { needs } from './needs.ts';

const indexTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ');
const indexSchema = z.object({
  mediaType: z.string(),
  manifests: z.array(
    z.object({ digest: z.string(), platform: z.object({ architecture: z.string() }) }),
  ),
});

const withRegistry = needs('registry', 'images');
withRegistry.describe('the registry', () => {
  const { registry, images } = withRegistry;

  it('implements the distribution protocol', async () => {
    const answer = await fetch(`http://${registry}/v2/`);
    expect(answer.status).toBe(200);
  });

  it.each([
    ['library/nginx:1.30.7-alpine', 'oci', ['amd64', 'arm64', 'unknown', 'unknown']],
    ['kalaksi/tinyproxy:1.7', 'docker', ['amd64', 'arm64']],
    ['goacme/lego:v5.6.0', 'docker', ['amd64']],
    ['ollama/ollama:0.35.1', 'oci', ['amd64']],
  ])('serves %s in the %s format for %j', async (name, format, architectures) => {
    const [repository, tag] = name.split(':');
    const answer = await fetch(`http://${registry}/v2/${repository}/manifests/${tag}`, {
      headers: { accept: indexTypes },
    });
    const index = indexSchema.parse(await answer.json());
    expect(index.mediaType).toContain(format);
    expect(index.manifests.map(({ platform }) => platform.architecture)).toEqual(architectures);
  });

  it('stores only the images of the tests in the registry', async () => {
    const folder = join(images, 'blobs', 'sha256');
    const files = await readdir(folder);
    const sizes = await Promise.all(
      files.map(async (file) => (await stat(join(folder, file))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250e6);
  });
});

const withSkopeo = needs('registry', 'images', 'skopeo');
withSkopeo.describe('skopeo', () => {
  it('returns the architecture of an image and the layers that two images share', async () => {
    const inspect = async (name: string) => {
      const { stdout } = await execa(withSkopeo.skopeo, [
        ...['inspect', '--tls-verify=false', '--override-arch', 'amd64'],
        `docker://${withSkopeo.registry}/${name}`,
      ]);
      return z
        .object({ Architecture: z.string(), Layers: z.array(z.string()) })
        .parse(JSON.parse(stdout));
    };
    const lobe = await inspect('lobehub/lobe-chat:1.143.3');
    const nextChat = await inspect('yidadaa/chatgpt-next-web:v2.16.1');
    expect(lobe.Architecture).toBe('amd64');
    expect(lobe.Layers.slice(0, 2)).toEqual(nextChat.Layers.slice(0, 2));
    expect(lobe.Layers.at(-1)).not.toBe(nextChat.Layers.at(-1));
  });
});

const withAccount = needs('registryAuth', 'images');
withAccount.describe('the registry with authentication', () => {
  const url = () => `http://${withAccount.registryAuth}/v2/library/nginx/manifests/1.30.7-alpine`;
  const authorization = (password: string) => ({
    authorization: `Basic ${Buffer.from(`${registryAccount.username}:${password}`).toString('base64')}`,
    accept: 'application/vnd.oci.image.index.v1+json',
  });

  it('rejects anonymous clients and requests Basic credentials', async () => {
    const answer = await fetch(url());
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect((await fetch(url(), { headers: authorization('wrong') })).status).toBe(401);
  });

  it('accepts the account', async () => {
    const answer = await fetch(url(), { headers: authorization(registryAccount.password) });
    expect(answer.status).toBe(200);
  });
});

const withEngine = needs('engine', 'registry', 'images');
withEngine.describe('the Docker of the tests', () => {
  const engine = () => new Docker({ socketPath: withEngine.engine });

  it('responds, and shares nothing with another Docker', async () => {
    expect(String(await engine().ping())).toBe('OK');
    expect(await engine().listContainers({ all: true })).toEqual([]);
  });

  it('pulls an image by digest, runs it, and publishes its port', async () => {
    const { headers } = await fetch(
      `http://${withEngine.registry}/v2/library/nginx/manifests/1.30.7-alpine`,
      { method: 'HEAD', headers: { accept: indexTypes } },
    );
    const digest = headers.get('docker-content-digest');
    const reference = `${withEngine.registry}/library/nginx@${digest}`;
    await pull(engine(), reference);
    expect((await engine().getImage(reference).inspect()).RepoDigests).toContain(reference);

    const network = await engine().createNetwork({ Name: 'setup-test' });
    const container = await engine().createContainer({
      Image: reference,
      HostConfig: {
        NetworkMode: 'setup-test',
        PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '0' }] },
      },
    });
    try {
      await container.start();
      const { NetworkSettings } = await container.inspect();
      const port = NetworkSettings.Ports['80/tcp']?.[0]?.HostPort;
      await expect
        .poll(async () => await (await fetch(`http://127.0.0.1:${port}/`)).text(), {
          timeout: 30_000,
        })
        .toBe('nginx stand-in\n');
    } finally {
      await container.remove({ force: true });
      await network.remove();
    }
  });
});

async function pull(engine: Docker, reference: string): Promise<void> {
  const progress = await engine.pull(reference);
  await new Promise((resolve, reject) => {
    engine.modem.followProgress(progress, (error) => (error ? reject(error) : resolve(null)));
  });
}

const withTrixie = needs('trixie');
withTrixie.describe('Debian 13', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-chroot-'));
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  it.each([
    ['cosign', ['version'], /cosign: A tool for Container Signing/],
    ['cloud-init', ['--version'], /25\./],
    ['openssl', ['version'], /OpenSSL 3\.5/],
    ['python3', ['--version'], /Python 3\.13/],
  ])('brings %s', async (command, args, version) => {
    const { exitCode, output } = await inChroot(withTrixie.trixie, { folder, command, args });
    expect(output).toMatch(version);
    expect(exitCode).toBe(0);
  });

  it('sees the folder of the test, and leaves no mount behind', async () => {
    const visit = { folder, command: 'touch', args: ['made-inside'] };
    expect(await inChroot(withTrixie.trixie, visit)).toEqual({ exitCode: 0, output: '' });
    expect(await readdir(folder)).toEqual(['made-inside']);
    expect(await readdir(join(withTrixie.trixie, 'mnt'))).toEqual([]);
  });
});

const withBookworm = needs('bookworm');
withBookworm.describe('Debian 12', () => {
  it('includes cloud-init, openssl 3.0 and python3 in Debian 12', async () => {
    const visit = {
      folder: tmpdir(),
      command: 'sh',
      args: ['-c', 'cloud-init --version; openssl version; python3 --version'],
    };
    const { output } = await inChroot(withBookworm.bookworm, visit);
    expect(output).toMatch(/22\.4[\s\S]*OpenSSL 3\.0[\s\S]*Python 3\.11/);
  });
});
