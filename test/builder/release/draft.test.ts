import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workFolder } from '../../simulator/work-folder.ts';
import { CodeHostStandIn, token } from '../../stand-ins/code-host/code-host.ts';

const program = fileURLToPath(new URL('../../../builder/release/draft.ts', import.meta.url));
const names = ['landfall-1.0.0-amd64.tar', 'landfall-1.0.0-arm64.tar', 'release.pub'];

let standIn: CodeHostStandIn;
let folder: string;
beforeEach(async () => {
  standIn = await CodeHostStandIn.start();
  folder = await workFolder();
  for (const name of names) await writeFile(join(folder, name), `bytes of ${name}`);
});
afterEach(() => standIn.close());

const draft = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, [program, ...args], {
    cwd: folder,
    extendEnv: false,
    env: { PATH: process.env.PATH, ...standIn.env, ...env },
    reject: false,
  });

describe('npm run draft', () => {
  it('creates a draft, uploads files, downloads those of an architecture, and publishes', async () => {
    expect((await draft(['create', 'v1.0.0', '--commit', 'a'.repeat(40)])).exitCode).toBe(0);
    const { stdout } = await draft(['upload', '--json', '--', 'v1.0.0', ...names]);
    expect(JSON.parse(stdout)).toEqual({ tag: 'v1.0.0', sent: names });
    expect((await draft(['download', 'v1.0.0', 'got', '--arch', 'amd64'])).exitCode).toBe(0);
    expect((await readdir(join(folder, 'got'))).sort()).toEqual([names[0], names[2]]);
    const small = ['download', 'v1.0.0', 'small', '--manifests'];
    expect((await draft(small)).exitCode).toBe(0);
    expect(await readdir(join(folder, 'small'))).toEqual(['release.pub']);
    expect((await draft(['publish', 'v1.0.0', '--not-latest'])).exitCode).toBe(0);
    expect(standIn.releases()).toMatchObject([{ draft: false, make_latest: 'false' }]);
  });

  it('sets the notes of a draft', async () => {
    standIn.add('v1.0.0', true);
    await writeFile(join(folder, 'notes.md'), '- First.\n');
    expect((await draft(['notes', 'v1.0.0', 'notes.md'])).exitCode).toBe(0);
    expect(standIn.releases()).toMatchObject([{ body: '- First.\n', draft: true }]);
    expect((await draft(['notes', 'v1.0.0', 'none.md'])).stderr).toContain('FILE_MISSING');
  });

  it('checks all files before the first upload', async () => {
    standIn.add('v1.0.0', true);
    const { stdout, exitCode } = await draft([
      'upload',
      '--json',
      'v1.0.0',
      names[0] ?? '',
      'none',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'FILE_MISSING' } });
    expect(exitCode).toBe(8);
    expect(standIn.requests()).toEqual([]);
  });

  it('prints an error without the token', async () => {
    const other = { GITHUB_TOKEN: `${token}x` };
    const { stdout, stderr, exitCode } = await draft(['create', 'v1.0.0'], other);
    expect(stderr).toContain('error HTTP_STATUS: GET /repos/team/landfall/releases failed');
    expect(stderr).toContain('hint: Set GITHUB_TOKEN to a valid token.');
    expect(stdout + stderr).not.toContain(token);
    expect(exitCode).toBe(5);
  });
});
