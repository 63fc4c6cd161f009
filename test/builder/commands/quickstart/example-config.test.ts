import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selectComponents } from '../../../../builder/bundle/archive/selection.ts';
import { exampleConfig } from '../../../../builder/commands/quickstart/example-config.ts';
import { readAppliance } from '../../../../builder/inputs/config/appliance.ts';
import { driftOf, lockInputs } from '../../../../builder/inputs/lock/inputs.ts';
import { lockPathFor, readLock, writeLock } from '../../../../builder/inputs/lock/lock-file.ts';

const shipped = fileURLToPath(
  new URL('../../../../builder/inputs/appliance.yaml', import.meta.url),
);
const older = {
  image: 'registry.example/ui:1.0',
  index: `sha256:${'a'.repeat(64)}`,
  platforms: {
    'linux/amd64': { manifest: 'unresolved', config: 'unresolved', size: 'unresolved' },
    'linux/arm64': { manifest: 'unresolved', config: 'unresolved', size: 'unresolved' },
  },
} as const;

let folder: string;
let reference: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-example-'));
  reference = join(folder, 'appliance.yaml');
  await writeFile(reference, await readFile(shipped));
  await lockUi('unresolved');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the appliance of the quickstart', () => {
  it('replaces an image whose digest is not locked, and says so', async () => {
    const { config, notes } = await exampleConfig(reference, join(folder, 'example'), {
      ui: older,
    });
    const appliance = await readAppliance(config);
    expect(appliance.components.ui?.image).toBe(older.image);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(`the example names ${older.image}`);
  });

  it('writes a current lock for the quickstart, and keeps the other images and the comments', async () => {
    const { config } = await exampleConfig(reference, join(folder, 'example'), { ui: older });
    const [made, before] = [await readLock(lockPathFor(config)), await readLock(lockOf())];
    if (!made || !before) throw new Error('no lock was written');
    expect(driftOf(lockInputs(await readAppliance(config)), made)).toEqual([]);
    expect(made.images).toEqual({ ...before.images, ui: older });
    expect(await readFile(config, 'utf8')).toContain('# Local models. Never reachable');
  });

  it('uses the reference as the appliance of the quickstart once the digest is locked', async () => {
    await lockUi(`sha256:${'b'.repeat(64)}`);
    expect(await exampleConfig(reference, join(folder, 'example'), { ui: older })).toEqual({
      config: reference,
      notes: [],
    });
  });

  // Regression: a lock without the digest of the chat UI broke the first command of the README.
  it('locks a digest for every required image of the shipped appliance in the quickstart', async () => {
    const { config } = await exampleConfig(shipped, join(folder, 'example'));
    const lock = await readLock(lockPathFor(config));
    if (!lock) throw new Error('no lock was written');
    const appliance = await readAppliance(config);
    expect(() => selectComponents(appliance, lock, new Set())).not.toThrow();
  });
});

function lockOf(): string {
  return lockPathFor(reference);
}

async function lockUi(index: string): Promise<void> {
  const lock = await readLock(lockPathFor(shipped));
  if (!lock?.images.ui) throw new Error('the shipped lock has no ui');
  await writeLock(lockOf(), {
    ...lock,
    images: { ...lock.images, ui: { ...lock.images.ui, index } },
  });
}
