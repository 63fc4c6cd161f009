import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tinyGguf } from '../../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from '../model-build-rig.ts';

// Each build bundles the server program again, which is slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const license = '{ id: Apache-2.0, source: "https://example.com/mine" }';

let rig: ModelBuildRig;
beforeAll(async () => {
  rig = await ModelBuildRig.start(tinyGguf(9));
  await rig.writeAppliance('appliance.yaml', '{ name: "mine:1b", gguf: ./mine.gguf }');
  await rig.lock();
});
afterAll(() => rig.close());

async function noticeIn(output: string): Promise<string> {
  let text = '';
  await rig.verify(output, async ({ path }, content) => {
    for await (const chunk of content) if (path === 'NOTICE') text += Buffer.from(chunk);
  });
  return text;
}

describe('landfall build --public', () => {
  it('rejects a model without a known license, before it writes anything', async () => {
    await expect(rig.build('thin', ['--public'])).rejects.toMatchObject({
      code: 'LICENSE_UNKNOWN',
      message: expect.stringContaining('mine:1b'),
    });
    await expect(rig.release('thin')).rejects.toThrow('ENOENT');
  });

  it('accepts a declared license without a change of the lock', async () => {
    const model = `{ name: "mine:1b", gguf: ./mine.gguf, license: ${license} }`;
    await rig.writeAppliance('appliance.yaml', model);
    await rig.build('declared', ['--public', '--frozen']);
    const text = await noticeIn('declared');
    expect(text).toContain('License: Apache-2.0\n  Source: https://example.com/mine\n');
  });

  it('rejects an image that is not in the repository of its publisher, in a full bundle', async () => {
    await expect(rig.build('full', ['--public', '--full'])).rejects.toMatchObject({
      code: 'LICENSE_UNKNOWN',
      message: expect.stringContaining('not known of ui'),
    });
  });
});

describe('the NOTICE of a bundle', () => {
  it('writes NOTICE as a file of the release, with the npm packages in the program', async () => {
    const release = await rig.release('declared');
    expect(release.files.map(({ path }) => path)).toContain('NOTICE');
    expect(await noticeIn('declared')).toMatch(/npm package zod \d.*\n\nMIT License/);
  });
});
