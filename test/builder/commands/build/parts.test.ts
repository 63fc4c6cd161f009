import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { diffCommand } from '../../../../builder/commands/diff.ts';
import { inspectCommand } from '../../../../builder/commands/inspect.ts';
import { verifyCommand } from '../../../../builder/commands/verify.ts';
import { ModelBuildRig } from '../model-build-rig.ts';

// Each build bundles the server program again, which is slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const name = 'landfall-1.0.0-amd64.tar';
let rig: ModelBuildRig;
beforeAll(async () => {
  rig = await ModelBuildRig.start(randomBytes(1000));
  await rig.writeAppliance('appliance.yaml');
  await rig.lock();
  await rig.build('whole', ['--full', '--quiet']);
});
afterAll(() => rig.close());

const build = async (...args: string[]) => {
  const { bundles, cost } = JSON.parse(await rig.build('dist', ['--full', '--json', ...args]));
  return { ...bundles[0], written: cost.written };
};
const tars = async () =>
  (await readdir(rig.path('dist'))).filter((file) => file.startsWith(name)).sort();

it('a bundle is built in parts, with the bytes of the single file', async () => {
  const built = await build('--max-part-size', '150kB');
  const files = await tars();
  expect(built).toMatchObject({ unchanged: false, parts: files.length });
  expect(built.path).toBe(rig.path('dist', `${name}.000`));
  expect(files.length).toBeGreaterThan(3);
  const contents = await Promise.all(files.map((file) => readFile(rig.path('dist', file))));
  expect(contents.slice(0, -1).every(({ length }) => length === 150_000)).toBe(true);
  const joined = Buffer.concat(contents);
  const whole = await readFile(rig.path('whole', name));
  expect(joined.length).toBe(whole.length);
  // Signatures are random (ECDSA); the head ends before 100 kB.
  expect(joined.subarray(100_000).equals(whole.subarray(100_000))).toBe(true);
  const [one, other] = await Promise.all(
    ['dist', 'whole'].map((folder) =>
      readFile(rig.path(folder, name.replace('tar', 'release.json'))),
    ),
  );
  expect(one).toEqual(other);
});

it('a bundle in parts is unchanged in the next build, and rebuilt after a part was removed', async () => {
  const again = await build('--max-part-size', '150kB');
  expect(again).toMatchObject({
    unchanged: true,
    written: 0,
    path: rig.path('dist', `${name}.000`),
  });
  const before = await tars();
  await rm(rig.path('dist', `${name}.001`));
  expect(await build('--max-part-size', '150kB')).toMatchObject({ unchanged: false });
  expect(await tars()).toEqual(before);
});

it('verify, inspect and diff read the parts as one bundle', async () => {
  const [part, tar] = [`dist/${name}.000`, `dist/${name}`];
  const verified = await rig.run(verifyCommand, part, '--key', 'release.pub', '--json');
  const { size } = JSON.parse(verified);
  expect(size).toBe((await readFile(rig.path('whole', name))).length);
  expect(JSON.parse(await rig.run(inspectCommand, tar, '--json'))).toMatchObject({ size });
  const compared = await rig.run(
    diffCommand,
    `whole/${name}`,
    part,
    '--key',
    'release.pub',
    '--json',
  );
  expect(JSON.parse(compared)).toMatchObject({ different: false });
});

it('parts of an earlier build are removed', async () => {
  await writeFile(rig.path('dist', `${name}.999`), 'stale');
  await build('--max-part-size', '400kB');
  expect((await tars()).at(-1)).not.toBe(`${name}.999`);
  const text = await rig.build('dist', ['--full', '--max-part-size', '400kB']);
  expect(text).toMatch(/full, \d+ parts/);
  const built = await build('--max-part-size', '1GB');
  expect(await tars()).toEqual([name]);
  expect(built).not.toHaveProperty('parts');
});

it.each(['1.9', 'large', '10'])('--max-part-size %s is rejected', async (size) => {
  await expect(build('--max-part-size', size)).rejects.toMatchObject({ code: 'USAGE' });
  expect(await tars()).toEqual([name]);
});
