import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '#contract/bundle-paths.ts';
import { encodeRelease } from '#contract/release.ts';
import { fileEntry } from '../../../builder/bundle/entry.ts';
import { bundleProgram } from '../../../builder/bundle/program.ts';
import { releaseOf } from '../../../builder/bundle/release-of.ts';
import { factsFor, testKey } from './fixture.ts';

const run = promisify(execFile);
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-program-'));
});
afterEach(() => rm(root, { recursive: true }));

describe("the server's program", () => {
  it('is the same bytes every time', async () => {
    expect((await bundleProgram()).equals(await bundleProgram())).toBe(true);
  });

  it('runs from one file, without any package', async () => {
    const bytes = await bundleProgram();
    const release = releaseOf(factsFor(testKey()), [fileEntry(program, bytes)]);
    const folder = join(root, 'releases/1.2.3-amd64');
    await mkdir(join(folder, 'program'), { recursive: true });
    await mkdir(join(root, 'etc'));
    await writeFile(join(folder, program), bytes);
    await writeFile(join(folder, 'release.json'), encodeRelease(release));
    await writeFile(join(root, 'etc/os-release'), 'ID=debian\nVERSION_ID="13"\n');
    const env = { ...process.env, LANDFALL_ROOT: root };
    const { stdout } = await run(process.execPath, [join(folder, program), 'first-boot'], { env });
    expect(stdout).toContain('this server can carry it');
    const status = JSON.parse(await readFile(join(root, 'run/landfall/status.json'), 'utf8'));
    expect(status).toMatchObject({ stage: 'preflight', state: 'done', release: '1.2.3' });
  });

  it('says which commands there are when it is given another', async () => {
    await writeFile(join(root, 'landfall.mjs'), await bundleProgram());
    await expect(
      run(process.execPath, [join(root, 'landfall.mjs'), 'dance']),
    ).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Commands: first-boot'),
    });
  });
});
