import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram, bundleScripts } from '../../../../builder/bundle/archive/program.ts';

const run = promisify(execFile);
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-program-'));
});
afterEach(() => rm(root, { recursive: true }));

const relayScript = "bundleScripts(['relay']).then((made) => made.get('relay'))";
const relayProgram = async () => (await bundleScripts(['relay'])).get('relay');

describe("the server's program", () => {
  // Regression: the comments of esbuild contained paths relative to the current folder.
  it.each([
    ['server', 'bundleProgram()', bundleProgram],
    ['relay', relayScript, relayProgram],
  ] as const)(
    'bundles the program of the %s reproducibly, in any folder',
    async (_, call, here) => {
      const module = new URL('../../../../builder/bundle/archive/program.ts', import.meta.url);
      const script = `import { bundleProgram, bundleScripts } from '${module}';
      process.stdout.write((await ${call}).bytes);`;
      const args = ['--input-type=module', '--eval', script];
      const limits = { maxBuffer: 16 * 1024 * 1024 };
      const elsewhere = await run(process.execPath, args, { cwd: root, ...limits });
      expect(elsewhere.stdout).toBe(String((await here())?.bytes));
    },
  );

  it('lists the packages in it with version, license and checksum', async () => {
    const { packages } = await bundleProgram();
    const names = packages.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(['commander', 'undici', 'zod']));
    // Packages that only the builder uses must not be in the server's program.
    expect(names).not.toContain('dockerode');
    // Neither must packages that only the page uses: Node has its own cryptography.
    expect(names.filter((name) => name.startsWith('@noble/'))).toEqual([]);
    for (const each of packages) {
      expect(each.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(each.license).toMatch(/^[A-Za-z0-9.-]+$/);
      expect(each.sha512).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  // Every command reads and compiles it, also on servers with little memory.
  it('stays below 3.5 MB', async () => {
    expect((await bundleProgram()).bytes.length).toBeLessThan(3_500_000);
  });

  // V8 stores a source with one other character in two bytes for each: 5 MB more memory on a server.
  it('writes ASCII characters only', async () => {
    const { bytes } = await bundleProgram();
    expect(bytes.findIndex((byte) => byte > 127)).toBe(-1);
  });

  it('runs from one file without packages', async () => {
    await writeFile(join(root, 'landfall.mjs'), (await bundleProgram()).bytes);
    const { stdout } = await run(process.execPath, [join(root, 'landfall.mjs'), 'help']);
    expect(stdout).toContain('sudo landfall first-boot');
  });

  // Regression: esbuild does not find the parts of jsonc-parser's main file.
  it('changes the settings of an editor from one file without packages', async () => {
    await writeFile(join(root, 'landfall.mjs'), (await bundleProgram()).bytes);
    const words = ['editor', 'configure', '--editor', 'code-server', '--proxy', 'http://p:1'];
    const env = { PATH: process.env.PATH, HOME: root };
    const { stdout } = await run(process.execPath, [join(root, 'landfall.mjs'), ...words], { env });
    expect(stdout).toContain('code-server uses http://p:1: changed http.proxy');
  });

  it('prints the documented remedies of a symptom from one file without documents', async () => {
    await writeFile(join(root, 'landfall.mjs'), (await bundleProgram()).bytes);
    const words = ['doctor', '--symptom', 'browser-403'];
    const { stdout } = await run(process.execPath, [join(root, 'landfall.mjs'), ...words]);
    expect(stdout).toContain('- The domain of the site is in the address bar. Compare it with');
  });

  it('does not set up a machine where it is not installed', async () => {
    await writeFile(join(root, 'landfall.mjs'), (await bundleProgram()).bytes);
    await expect(
      run(process.execPath, [join(root, 'landfall.mjs'), 'first-boot']),
    ).rejects.toMatchObject({
      stderr: expect.stringMatching(/not part of an installed release|must be run as root/),
    });
  });

  it('suggests a similar command', async () => {
    await writeFile(join(root, 'landfall.mjs'), (await bundleProgram()).bytes);
    await expect(
      run(process.execPath, [join(root, 'landfall.mjs'), 'first-bot']),
    ).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean first-boot?'),
    });
  });
});

describe("an image's program", () => {
  it('bundles the program of two images once', async () => {
    expect((await bundleScripts(['relay', 'relay'])).size).toBe(1);
  });

  it('requires only Node', async () => {
    const text = String((await relayProgram())?.bytes);
    const imports = [...text.matchAll(/(?:^|;)import\b[^"'();]*"([^"]+)"/gm)].map(
      ([, name]) => name,
    );
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  });

  it('bundles the program only for images that use it', async () => {
    expect(await bundleScripts([])).toEqual(new Map());
  });
});
