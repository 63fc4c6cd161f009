import { lstat, mkdtemp, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serve, status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { recoveryKey, secondKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, installableFiles, pinOf } from './installable.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const bundle = installable();
const pin = pinOf(bundle);
const folder = await workFolder();
const newServer = async () => new FreshServer(await mkdtemp(join(folder, 'root-')));
const name = 'landfall-1.2.0-amd64.tar';
const home = 'opt/landfall/releases/1.2.0-amd64';

let web: FaultyServer;
beforeAll(async () => {
  web = await FaultyServer.start({
    [`/good/${name}`]: serve(bundle),
    [`/gone/${name}`]: status(404),
    [`/recovery/${name}`]: serve(installable({ signer: recoveryKey })),
  });
});
afterAll(() => web.close());

describe.each(['dash', 'sh', 'bash'])('a first boot under %s', (shell) => {
  it('downloads and verifies the release, and starts its program', async () => {
    const server = await newServer();
    await server.paste({ sources: [web.url('/good/').href], pin });
    const { exitCode, output } = await server.boot({ shell });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    const release = join(server.root, home);
    expect(await server.started()).toEqual([
      join(release, 'runtime/node'),
      join(release, 'program/landfall.mjs'),
      'first-boot',
    ]);
  });
});

describe('an installed release', () => {
  let server: FreshServer;
  let output: string;
  beforeAll(async () => {
    server = await newServer();
    await server.paste({ sources: [web.url('/gone/').href, web.url('/good').href], pin });
    ({ output } = await server.boot());
  });

  it('installs every file of a release with its content', async () => {
    for (const { path, content } of installableFiles) {
      expect(await server.read(`${home}/${path}`)).toEqual(content);
    }
  });

  it('contains no other files than the manifest and Node', async () => {
    const paths = [...installableFiles.map(({ path }) => path), 'release.json', 'runtime/node'];
    expect(await server.list(home)).toEqual(paths.map((path) => `${home}/${path}`).sort());
  });

  it('makes an installed release readable only by root', async () => {
    expect((await lstat(join(server.root, home))).mode & 0o777).toBe(0o700);
  });

  it('makes files executable as in the manifest, and Node too', async () => {
    const mode = async (path: string) => (await stat(join(server.root, home, path))).mode & 0o777;
    expect(await mode('compose/entry.sh')).toBe(0o755);
    expect(await mode('runtime/node')).toBe(0o755);
    expect(await mode('program/landfall.mjs')).toBe(0o644);
  });

  it('links to the installed release with a relative link', async () => {
    expect(await readlink(join(server.root, 'opt/landfall/current'))).toBe('releases/1.2.0-amd64');
    expect(await server.list('opt/landfall/releases')).not.toContainEqual(
      expect.stringContaining('.new'),
    );
  });

  it('was downloaded from the second source because the first returned 404', () => {
    expect(output).toContain('/gone/');
    expect(output).toContain('404');
    expect(output).toContain(`fetching ${web.origin}/good/${name}`);
  });

  it('reports the installed release in the status file as one line', async () => {
    expect(await server.status()).toBe('the release is verified and in place\n');
  });

  it('skips the download of an installed release in the next run', async () => {
    const before = web.seen().length;
    const { exitCode } = await server.boot();
    expect(exitCode).toBe(0);
    expect(web.seen().length).toBe(before);
    expect(await server.started()).toContain('first-boot');
  });

  it.each([
    ['8', 0],
    ['9', 10],
    ['12', 40],
    ['5000', 300],
    ['unknown', 0],
  ])(
    'starts the installed release after %s failed attempts with a delay of %i seconds',
    async (tries, seconds) => {
      await server.replaceTool('systemctl', `echo ${tries}`);
      const { exitCode, output: said } = await server.boot({ env: { LANDFALL_STALL: '0.01' } });
      await server.replaceTool('systemctl', 'exit 1');
      expect(exitCode).toBe(0);
      const line = `landfall: retrying in ${seconds} s, or now with systemctl restart landfall-boot\n`;
      expect(said.includes('retrying')).toBe(seconds > 0);
      expect(said.includes(line)).toBe(seconds > 0);
    },
  );

  it('replaces a release by another build of the same version when new user-data pins that', async () => {
    const rebuilt = installable({ release: (release) => ({ ...release, models: [] }) });
    const other = await FaultyServer.start(serve(rebuilt));
    await server.paste({ sources: [other.url('/').href], pin: pinOf(rebuilt) });
    const { exitCode } = await server.boot();
    await other.close();
    expect(exitCode).toBe(0);
    expect((await server.read(`${home}/release.json`))?.toString()).toContain('"models": []');
  });
});

describe('the bootstrap', () => {
  it('requires only a shell, python3, openssl and a few basic tools', async () => {
    const server = await newServer();
    await server.paste({ sources: [web.url('/good/').href], pin });
    const needed = ['sh', 'dash', 'python3', 'openssl', 'grep', 'mkdir', 'ln', 'uname'];
    const tools = await server.bareTools(needed);
    const { exitCode, output } = await server.boot({ shell: '/bin/sh', env: { PATH: tools } });
    const machine = process.arch === 'x64' ? 0 : 78;
    expect({ exitCode, output }).toMatchObject({ exitCode: machine });
  });

  it('accepts a release signed by the recovery key if the user-data lists that key', async () => {
    const server = await newServer();
    const sources = [web.url('/recovery/').href];
    await server.paste({ sources, pin, key: recoveryKey.public });
    expect((await server.boot()).exitCode).toBe(0);
  });

  it('rejects a release signed by a key that the user-data does not list', async () => {
    const server = await newServer();
    await server.paste({ sources: [web.url('/good/').href], pin, key: secondKey.public });
    const { exitCode, output } = await server.boot();
    expect(exitCode).toBe(1);
    expect(output).toContain('rejected: no trusted key signed release.json');
    expect(await server.list('opt/landfall/releases')).toEqual([]);
  });

  it('returns the exit code of the program, so that systemd restarts the unit', async () => {
    const server = await newServer();
    await server.paste({ sources: [web.url('/good/').href], pin });
    await server.boot();
    await server.write(`/${home}/runtime/node`, '#!/bin/sh\nexit 11\n');
    expect((await server.boot()).exitCode).toBe(11);
  });

  it('does not start the program if the download failed', async () => {
    const server = await newServer();
    await server.paste({ sources: [web.url('/gone/').href], pin });
    const { exitCode, output } = await server.boot();
    expect(exitCode).toBe(1);
    expect(output).toContain('404');
    expect(await server.started()).toBeUndefined();
  });
});

describe('a large release', () => {
  it('shows its progress on the console and in the status file', async () => {
    const large = installable({
      files: [...installableFiles, { path: 'images/large', content: Buffer.alloc(20 << 20) }],
    });
    const source = await FaultyServer.start(serve(large));
    const server = await newServer();
    await server.paste({ sources: [source.url('/').href], pin: pinOf(large) });
    const { exitCode, output } = await server.boot();
    await source.close();
    expect(exitCode).toBe(0);
    expect(output).toContain('landfall: images/large: 16 of 20 MB\n');
  });

  it('refuses to download a large release when the disk space is insufficient', async () => {
    const size = 2 ** 52;
    const huge = installable({
      release: ({ files, ...release }) => ({
        ...release,
        files: files.map((file) => ({ ...file, size })),
      }),
    });
    const source = await FaultyServer.start(serve(huge));
    const server = await newServer();
    await server.paste({ sources: [source.url('/').href], pin: pinOf(huge) });
    const { exitCode, output } = await server.boot();
    await source.close();
    expect(exitCode).toBe(1);
    expect(output).toContain('no disk space for');
    expect(await server.list('opt/landfall/releases')).toEqual([
      'opt/landfall/releases/1.2.0-amd64.new/release.json',
    ]);
  });
});

describe('invalid user-data', () => {
  it.each(['<DOMAIN>', '{{ssh key}}', '{mirror_url}', 'CHANGE_ME'])(
    'changes nothing when it contains the placeholder %s',
    async (placeholder) => {
      const server = await newServer();
      await server.paste({ sources: [web.url('/good/').href], pin });
      const site = (await server.read('etc/landfall/site.json'))?.toString() ?? '';
      await server.write('/etc/landfall/site.json', site.replace('owner@laptop', placeholder));
      const before = await server.list('.');
      const { exitCode, output } = await server.boot();
      expect(exitCode).toBe(78);
      expect(output).toContain('unfilled placeholders; nothing was changed');
      const added = (await server.list('.')).filter((path) => !before.includes(path));
      expect(added.filter((path) => !path.startsWith('tools/'))).toEqual([
        'run/landfall/bootstrap',
      ]);
    },
  );

  it('rejects user-data that has no release for the architecture', async () => {
    const server = await newServer();
    await server.paste({ sources: [web.url('/good/').href], pin });
    await server.replaceTool('uname', 'echo aarch64');
    const { exitCode, output } = await server.boot();
    expect(exitCode).toBe(78);
    expect(output).toContain('no release for arm64; nothing was changed');
    await server.replaceTool('uname', 'echo riscv64');
    expect((await server.boot()).output).toContain('no release for riscv64');
  });
});
