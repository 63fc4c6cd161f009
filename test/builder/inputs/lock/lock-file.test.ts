import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lock } from '../../../../builder/inputs/lock/lock.ts';
import { writeLock } from '../../../../builder/inputs/lock/lock-file.ts';

const lock: Lock = {
  version: 1,
  inputs: `sha256:${'0'.repeat(64)}`,
  created: '2026-01-01T00:00:00Z',
  images: {},
  files: {},
  models: {},
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('writing a lock file', () => {
  it('leaves no temporary file after a failure', async () => {
    const path = join(folder, 'appliance.lock.yaml');
    await mkdir(join(path, 'inside'), { recursive: true });
    await expect(writeLock(path, lock)).rejects.toMatchObject({ code: 'FILE_ACCESS' });
    expect(readdirSync(folder)).toEqual(['appliance.lock.yaml']);
  });
});
