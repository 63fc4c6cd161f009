import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readLock, writeLock } from '../../../builder/inputs/lock/lock-file.ts';
import { refusalOf } from '../../faulty-registry/equipment.ts';
import { makeImage } from '../../faulty-registry/make-image.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { ModelBuildRig } from './model-build-rig.ts';

let rig: ModelBuildRig;
beforeEach(async () => {
  rig = await ModelBuildRig.start(tinyGguf(9));
  await rig.writeAppliance('appliance.yaml', '{ name: "mine:1b", gguf: ./mine.gguf }');
});
afterEach(() => rig.close());

const app = () => `${rig.images.host}/team/app:1`;
const path = () => rig.path('appliance.lock.yaml');

async function currentLock() {
  const lock = await readLock(path());
  if (!lock) throw new Error('no lock was written');
  return lock;
}

describe('landfall lock', () => {
  it('keeps resolved values when a source fails, and lists every failure', async () => {
    await writeFile(rig.path('mine.gguf'), 'no model');
    await rig.writeAppliance(
      'appliance.yaml',
      '{ name: "mine:1b", gguf: ./mine.gguf }',
      '{ name: "none:1b", gguf: ./none.gguf }',
    );
    const error = await refusalOf(rig.lock());
    expect(error.message).toBe('locking failed: mine:1b, none:1b');
    expect(error.code).toBe('LOCK_UNRESOLVED');
    const { images, files, models } = await currentLock();
    expect(images.ui?.index).toMatch(/^sha256:/);
    expect(files.node?.['linux/amd64']?.sha256).toBe(sha256Hex('a tarball of Node'));
    expect(models['none:1b']).toMatchObject({ sha256: 'unresolved' });
  });

  it('resolves the remaining values by digest in the next run', async () => {
    await rig.writeAppliance('appliance.yaml', '{ name: "none:1b", gguf: ./none.gguf }');
    await refusalOf(rig.lock());
    const { index } = (await currentLock()).images.ui ?? {};
    rig.images.push('team/app:1', makeImage({ layers: ['another layer'] }));
    await writeFile(rig.path('none.gguf'), tinyGguf(10));
    await rig.lock();
    const lock = await currentLock();
    expect(lock.images.ui?.index).toBe(index);
    expect(lock.models['none:1b']).toMatchObject({ sha256: sha256Hex(tinyGguf(10)) });
  });

  it('rejects a registry without the locked digest, and does not use its tag', async () => {
    await rig.lock();
    const good = (await currentLock()).images.ui?.index;
    const wrong = `sha256:${'a'.repeat(64)}`;
    await changeLock((lock) => {
      const { ui } = lock.images;
      Object.assign(ui ?? {}, { index: wrong });
      Object.assign(ui?.platforms['linux/amd64'] ?? {}, { size: 'unresolved' });
    });
    const before = await readFile(path(), 'utf8');
    const error = await refusalOf(rig.lock());
    expect(error.code).toBe('LOCK_DRIFT');
    expect(error.problems).toContainEqual({
      message: `ui: index: locked ${wrong}, ${app()} is now ${good}`,
    });
    expect(error.problems[0]?.hint).toContain('landfall lock --update ui');
    expect(await readFile(path(), 'utf8')).toBe(before);
  });

  it('rejects a Compose plugin that differs from the lock', async () => {
    await rig.lock();
    const wrong = 'a'.repeat(64);
    await changeLock(({ files }) => {
      const plugin = files['compose-plugin']?.['linux/amd64'];
      Object.assign(plugin ?? {}, { sha256: wrong, size: 'unresolved' });
    });
    const error = await refusalOf(rig.lock());
    expect(error.code).toBe('BLOB_DIGEST');
    expect(error.problems).toContainEqual({
      message: `compose-plugin for linux/amd64: sha256: locked ${wrong}, found ${sha256Hex('a Compose plugin')}`,
    });
    const plugin = (await currentLock()).files['compose-plugin']?.['linux/amd64'];
    expect(plugin?.sha256).toBe(wrong);
  });

  it('updates a tag on request', async () => {
    await rig.lock();
    const image = makeImage({ layers: ['the next release'] });
    rig.images.push('team/app:1', image);
    await rig.lock('appliance.yaml', 'store', '--update', 'ui');
    expect((await currentLock()).images.ui?.index).toBe(image.index.digest);
  });
});

describe('landfall build without a lock', () => {
  it('keeps resolved values when a source fails', async () => {
    await rig.writeAppliance('appliance.yaml', '{ name: "none:1b", gguf: ./none.gguf }');
    const error = await refusalOf(rig.build('out', []));
    expect(error).toMatchObject({ code: 'FILE_MISSING', message: 'locking failed: none:1b' });
    expect((await currentLock()).images.ui?.index).toMatch(/^sha256:/);
  });
});

async function changeLock(change: (lock: Awaited<ReturnType<typeof currentLock>>) => void) {
  const lock = await currentLock();
  change(lock);
  await writeLock(path(), lock);
}
