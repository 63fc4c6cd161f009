import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentReporter } from '../../../builder/base/progress/reporter.ts';
import { uploadCommand } from '../../../builder/commands/upload.ts';
import { hashFiles } from '../../../builder/deliver/hosting/hashed-file.ts';
import { releaseFiles } from '../../../builder/deliver/hosting/release-files.ts';
import { DownloadLog } from '../../../builder/deliver/hosting/serve/download-log.ts';
import { startServer } from '../../../builder/deliver/hosting/serve/start-server.ts';
import { runCommand, terminalIn } from '../../builder/commands/terminal.ts';
import { bundleOf, OutputFolder } from '../../builder/deliver/hosting/release-folder.ts';
import { inTerminal, keys, landfall } from '../../pty/terminal.ts';
import { needs } from '../needs.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { SshServer } from './ssh-server.ts';

const given = needs('sshd');
const { tar, stem } = OutputFolder;
const size = 12_000_000;

given.describe('landfall upload over a real sshd', () => {
  let server: SshServer;
  let output: OutputFolder;
  /** A new folder of the server for each test. */
  let target: string;
  let tests = 0;
  beforeAll(async () => {
    server = await SshServer.start(given.sshd);
    output = await OutputFolder.create(bundleOf(size));
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await output?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    tests += 1;
    target = join(server.folder, `target-${tests}`, 'landfall', '1.2.0');
    await server.trust('host');
    await server.configure();
  });

  async function upload(host = 'release-host', ...args: string[]) {
    const terminal = terminalIn(output.path, { PATH: process.env.PATH });
    const common = ['.', '--to', `sftp://${host}${target}`, '--ssh-config', server.config];
    await runCommand(uploadCommand, terminal, ...common, ...args);
    return terminal.out();
  }

  /** Returns the temporary name of the bundle. */
  function partial(): string {
    const sha256 = createHash('sha256').update(output.bundle).digest('hex');
    return `${tar}.${sha256.slice(0, 16)}.partial`;
  }

  it('creates the folder, uploads the release with its digests, and keeps it the next time', async () => {
    expect(await upload()).toMatch(/^uploaded +4 of 4 files/);
    expect((await readFile(join(target, tar))).equals(output.bundle)).toBe(true);
    const names = [tar, `${stem}.release.json`, `${stem}.release.json.sig`, 'release.pub'];
    const expected = names.flatMap((name) => [name, `${name}.sha256`]).sort();
    expect((await readdir(target)).sort()).toEqual(expected);
    const before = await stat(join(target, tar));
    expect(await upload()).toMatch(/^uploaded +0 of 4 files/);
    expect((await stat(join(target, tar))).ino).toBe(before.ino);
  });

  it('replaces a file of the same size with other bytes', async () => {
    await upload();
    const manifest = `${stem}.release.json`;
    const original = await readFile(join(target, manifest), 'utf8');
    await writeFile(join(target, `${manifest}.sha256`), `${'0'.repeat(64)}  ${manifest}\n`);
    await writeFile(join(target, manifest), 'x'.repeat(original.length));
    expect(await upload()).toMatch(/^uploaded +1 of 4 files/);
    expect(await readFile(join(target, manifest), 'utf8')).toBe(original);
  });

  it('resumes an interrupted upload without sending its bytes again', async () => {
    await mkdir(target, { recursive: true });
    // Other bytes than in the bundle, so that they prove what was kept.
    await writeFile(join(target, partial()), Buffer.alloc(size / 2, '#'));
    await upload();
    const stored = await readFile(join(target, tar));
    expect(stored.subarray(0, size / 2).equals(Buffer.alloc(size / 2, '#'))).toBe(true);
    expect(stored.subarray(size / 2).equals(output.bundle.subarray(size / 2))).toBe(true);
  });

  it('does not resume an interrupted upload of other bytes', async () => {
    await mkdir(target, { recursive: true });
    await writeFile(join(target, `${tar}.0123456789abcdef.partial`), 'another');
    await upload();
    expect((await readFile(join(target, tar))).equals(output.bundle)).toBe(true);
  });

  it('continues after two cuts of the connection', async () => {
    await using proxy = await CuttingProxy.start(server.port, [3_000_000, 4_000_000]);
    await server.configure({ port: proxy.port });
    await upload();
    expect(proxy.cuts).toBe(2);
    expect((await readFile(join(target, tar))).equals(output.bundle)).toBe(true);
    expect((await readdir(target)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('uploads from a folder whose name has characters that sftp or a shell would interpret', async () => {
    const folder = join(server.folder, '-[*]?{a,b} "#\\!$(x)');
    await cp(output.path, folder, { recursive: true });
    const terminal = terminalIn(folder, { PATH: process.env.PATH });
    const to = ['--to', `sftp://release-host${target}`, '--ssh-config', server.config];
    await runCommand(uploadCommand, terminal, '.', ...to);
    expect((await readFile(join(target, tar))).equals(output.bundle)).toBe(true);
  });

  it('uploads through another host', async () => {
    expect(await upload('behind')).toMatch(/^uploaded +4 of 4 files/);
  });

  it('checks the public URL and prints the lines for site.yaml', async () => {
    await upload();
    const files = await hashFiles(await releaseFiles(target), silentReporter);
    const log = new DownloadLog(silentReporter);
    const web = await startServer({ files, log }, { host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${web.address.port}/`;
    const shown = await upload('release-host', '--public-url', url);
    expect(shown).toContain(`serves    ${url}${tar}  12.0 MB, downloads can be resumed`);
    expect(shown).toContain(`site.yaml:\nrelease:\n  - ${url}\n`);
    const missing = upload('release-host', '--public-url', `${url}missing`);
    await expect(missing).rejects.toMatchObject({ code: 'USER_DATA_URL' });
    await web.close();
  });

  it('rejects a changed host key, with the reason of ssh', async () => {
    await server.trust('stranger');
    await expect(upload()).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: 'cannot connect to release-host: Host key verification failed.',
    });
  });

  it('rejects a key that the server does not accept', async () => {
    await server.configure({ key: 'stranger' });
    await expect(upload()).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: expect.stringContaining('Permission denied'),
    });
  });

  it('rejects a folder that cannot be created', async () => {
    await mkdir(join(target, '..', '..'), { recursive: true });
    await writeFile(join(target, '..'), 'a file');
    await expect(upload()).rejects.toMatchObject({ code: 'UPLOAD_REFUSED' });
  });

  describe('on a terminal', () => {
    const start = () =>
      inTerminal(
        [
          ...landfall,
          'upload',
          '.',
          '--to',
          `sftp://release-host${target}`,
          '--ssh-config',
          server.config,
        ],
        {
          cwd: output.path,
        },
      );

    it('prompts once for the passphrase of the key, and shows rows instead of the text of sftp', async () => {
      await server.configure({ key: 'locked' });
      const run = start();
      await run.shows('Enter passphrase');
      run.type(`sesame${keys.enter}`);
      await run.shows('uploading');
      const { status, text } = await run.end();
      expect(text).not.toMatch(/Progress meter|Uploading|sftp>/);
      expect(text).toContain('uploaded  4 of 4 files');
      expect(text.split('Enter passphrase')).toHaveLength(2);
      expect(status).toBe(0);
    });

    it('ends on Ctrl-C at the prompt, and leaves no processes', async () => {
      await server.configure({ key: 'locked' });
      const run = start();
      await run.shows('Enter passphrase');
      run.type(keys.interrupt);
      expect((await run.end()).status).toBe(130);
    });
  });
});
