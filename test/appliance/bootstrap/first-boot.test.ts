import { lstat, mkdtemp, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serve, status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { recoveryKey, secondKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, installableFiles, pinOf } from './installable.ts';

/** Every test boots a server or more; on a busy machine that takes its time. */
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
  it('brings the release, proves it and starts its program', async () => {
    const server = await newServer();
    await server.paste({ places: [web.url('/good/').href], pin });
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

describe('a release that was brought', () => {
  let server: FreshServer;
  let output: string;
  beforeAll(async () => {
    server = await newServer();
    await server.paste({ places: [web.url('/gone/').href, web.url('/good').href], pin });
    ({ output } = await server.boot());
  });

  it('is there file by file', async () => {
    for (const { path, content } of installableFiles) {
      expect(await server.read(`${home}/${path}`)).toEqual(content);
    }
  });

  it('has nothing else in its folder but its manifest and Node', async () => {
    const paths = [...installableFiles.map(({ path }) => path), 'release.json', 'runtime/node'];
    expect(await server.list(home)).toEqual(paths.map((path) => `${home}/${path}`).sort());
  });

  it('is in a folder that only root can read', async () => {
    expect((await lstat(join(server.root, home))).mode & 0o777).toBe(0o700);
  });

  it('marks as programs what the manifest marks, and Node', async () => {
    const mode = async (path: string) => (await stat(join(server.root, home, path))).mode & 0o777;
    expect(await mode('compose/entry.sh')).toBe(0o755);
    expect(await mode('runtime/node')).toBe(0o755);
    expect(await mode('program/landfall.mjs')).toBe(0o644);
  });

  it('is what the link points to, relatively', async () => {
    expect(await readlink(join(server.root, 'opt/landfall/current'))).toBe('releases/1.2.0-amd64');
    expect(await server.list('opt/landfall/releases')).not.toContainEqual(
      expect.stringContaining('.new'),
    );
  });

  it('came from the second place, because the first did not have it', () => {
    expect(output).toContain('/gone/');
    expect(output).toContain('404');
    expect(output).toContain(`fetching ${web.origin}/good/${name}`);
  });

  it('is announced in the status file, in one line', async () => {
    expect(await server.status()).toBe('the release is verified and in place\n');
  });

  it('is not fetched again when the first boot goes on after an interruption', async () => {
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
  ])('is started after %s failed tries once %i seconds have passed', async (tries, seconds) => {
    await server.replaceTool('systemctl', `echo ${tries}`);
    const { exitCode, output: said } = await server.boot({ env: { LANDFALL_STALL: '0.01' } });
    await server.replaceTool('systemctl', 'exit 1');
    expect(exitCode).toBe(0);
    const line = `landfall: waiting ${seconds} s; systemctl restart landfall-boot tries at once\n`;
    expect(said.includes('waiting')).toBe(seconds > 0);
    expect(said.includes(line)).toBe(seconds > 0);
  });

  it('gives way to another build of the same version when new user-data asks for it', async () => {
    const rebuilt = installable({ release: (release) => ({ ...release, models: [] }) });
    const other = await FaultyServer.start(serve(rebuilt));
    await server.paste({ places: [other.url('/').href], pin: pinOf(rebuilt) });
    const { exitCode } = await server.boot();
    await other.close();
    expect(exitCode).toBe(0);
    expect((await server.read(`${home}/release.json`))?.toString()).toContain('"models": []');
  });
});

describe('the bootstrap', () => {
  it('needs nothing but a shell, python3, openssl and the smallest tools', async () => {
    const server = await newServer();
    await server.paste({ places: [web.url('/good/').href], pin });
    const needed = ['sh', 'dash', 'python3', 'openssl', 'grep', 'mkdir', 'ln', 'uname'];
    const tools = await server.bareTools(needed);
    const { exitCode, output } = await server.boot({ shell: '/bin/sh', env: { PATH: tools } });
    const machine = process.arch === 'x64' ? 0 : 78;
    expect({ exitCode, output }).toMatchObject({ exitCode: machine });
  });

  it('takes a release that the recovery key signed, when it is one of the keys', async () => {
    const server = await newServer();
    const places = [web.url('/recovery/').href];
    await server.paste({ places, pin, key: recoveryKey.public });
    expect((await server.boot()).exitCode).toBe(0);
  });

  it('takes none that a key signed which the user-data does not name', async () => {
    const server = await newServer();
    await server.paste({ places: [web.url('/good/').href], pin, key: secondKey.public });
    const { exitCode, output } = await server.boot();
    expect(exitCode).toBe(1);
    expect(output).toContain('REFUSED, no trusted key signed its release.json');
    expect(await server.list('opt/landfall/releases')).toEqual([]);
  });

  it('passes the exit code of the program on, so that the unit starts it again', async () => {
    const server = await newServer();
    await server.paste({ places: [web.url('/good/').href], pin });
    await server.boot();
    await server.write(`/${home}/runtime/node`, '#!/bin/sh\nexit 11\n');
    expect((await server.boot()).exitCode).toBe(11);
  });

  it('does not start the program of a release that it could not bring', async () => {
    const server = await newServer();
    await server.paste({ places: [web.url('/gone/').href], pin });
    const { exitCode, output } = await server.boot();
    expect(exitCode).toBe(1);
    expect(output).toContain('404');
    expect(await server.started()).toBeUndefined();
  });
});

describe('a large release', () => {
  it('says how far it is, on the console and in the status file', async () => {
    const large = installable({
      files: [...installableFiles, { path: 'images/large', content: Buffer.alloc(20 << 20) }],
    });
    const place = await FaultyServer.start(serve(large));
    const server = await newServer();
    await server.paste({ places: [place.url('/').href], pin: pinOf(large) });
    const { exitCode, output } = await server.boot();
    await place.close();
    expect(exitCode).toBe(0);
    expect(output).toContain('landfall: images/large: 16 of 20 MB\n');
  });

  it('is not begun on a disk that has no room for it', async () => {
    const size = 2 ** 52;
    const huge = installable({
      release: ({ files, ...release }) => ({
        ...release,
        files: files.map((file) => ({ ...file, size })),
      }),
    });
    const place = await FaultyServer.start(serve(huge));
    const server = await newServer();
    await server.paste({ places: [place.url('/').href], pin: pinOf(huge) });
    const { exitCode, output } = await server.boot();
    await place.close();
    expect(exitCode).toBe(1);
    expect(output).toContain('the disk has no room for');
    expect(await server.list('opt/landfall/releases')).toEqual([
      'opt/landfall/releases/1.2.0-amd64.new/release.json',
    ]);
  });
});

describe('user-data that cannot work', () => {
  it.each(['<DOMAIN>', '{{ssh key}}', '{mirror_url}', 'CHANGE_ME'])(
    'changes nothing while it says %s somewhere',
    async (placeholder) => {
      const server = await newServer();
      await server.paste({ places: [web.url('/good/').href], pin });
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

  it('says so when it has no release for this machine', async () => {
    const server = await newServer();
    await server.paste({ places: [web.url('/good/').href], pin });
    await server.replaceTool('uname', 'echo aarch64');
    const { exitCode, output } = await server.boot();
    expect(exitCode).toBe(78);
    expect(output).toContain('no release for arm64; nothing was changed');
    await server.replaceTool('uname', 'echo riscv64');
    expect((await server.boot()).output).toContain('no release for riscv64');
  });
});
