import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { bundleAction } from '../../../../builder/publish/package/bundle-action.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');

describe('the committed files of the GitHub Action', () => {
  it('builds the committed files of the GitHub Action from their sources', async () => {
    for (const [path, text] of Object.entries(await bundleAction())) {
      expect(await read(path), 'run `npm run action` and commit the files').toBe(text);
    }
  });

  // A schema in a file that the action imports brought its whole library: 33 kB became 789 kB.
  it('bundles the GitHub Action into less than 60 kB', async () => {
    expect((await read('builder/publish/action/index.mjs')).length).toBeLessThan(60_000);
  });

  it('excludes the files of the GitHub Action from the npm package', async () => {
    const { files } = z
      .object({ files: z.array(z.string()) })
      .parse(JSON.parse(await read('package.json')));
    expect(
      files.filter((path) => /^(?:builder\/?|builder\/publish.*|action\.yml)$/.test(path)),
    ).toEqual([]);
  });
});

describe('action.yml', () => {
  const schema = z.object({
    inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
    outputs: z.record(z.string(), z.object({ description: z.string() })),
    runs: z.object({
      using: z.literal('node24'),
      main: z.literal('builder/publish/action/index.mjs'),
    }),
  });

  it('names the inputs that the program reads and the outputs that it sets', async () => {
    const { inputs, outputs } = schema.parse(parse(await read('action.yml')));
    const program = await read('builder/publish/action/index.mjs');
    const named = (call: string) =>
      [...program.matchAll(new RegExp(`${call}\\("([a-z-]+)"`, 'g'))]
        .map(([, name]) => name)
        .sort();
    expect(named('getInput')).toEqual(Object.keys(inputs).sort());
    expect(named('setOutput')).toEqual(Object.keys(outputs).sort());
  });
});
