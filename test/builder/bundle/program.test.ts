import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram, bundleScripts } from '../../../builder/bundle/program.ts';

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
    await writeFile(join(root, 'landfall.mjs'), await bundleProgram());
    const { stdout } = await run(process.execPath, [join(root, 'landfall.mjs'), 'help']);
    expect(stdout).toContain('landfall first-boot');
  });

  it('does not set up a machine on which nobody installed it', async () => {
    await writeFile(join(root, 'landfall.mjs'), await bundleProgram());
    await expect(
      run(process.execPath, [join(root, 'landfall.mjs'), 'first-boot']),
    ).rejects.toMatchObject({
      stderr: expect.stringMatching(/not that of an installed release|takes root/),
    });
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

describe("an image's program", () => {
  it('is the same bytes every time', async () => {
    const [one, two] = [await bundleScripts(['relay']), await bundleScripts(['relay', 'relay'])];
    expect(one).toEqual(two);
    expect(one.size).toBe(1);
  });

  it('needs nothing but Node', async () => {
    const text = String((await bundleScripts(['relay'])).get('relay'));
    const imports = [...text.matchAll(/^import .*? from "([^"]+)";$/gm)].map(([, name]) => name);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  });

  it('is only made where an image has one', async () => {
    expect(await bundleScripts([])).toEqual(new Map());
  });
});
