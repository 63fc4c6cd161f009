import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quickstartKey } from '../../../../builder/commands/quickstart/example-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-quickstart-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the key of the quickstart', () => {
  it('keeps the key of the quickstart outside of the project, and reuses it', async () => {
    const first = await quickstartKey({ HOME: folder });
    const second = await quickstartKey({ HOME: folder });
    expect(second.public.id).toBe(first.public.id);
    expect(await readdir(join(folder, '.config/landfall/keys'))).toContain('quickstart.key');
  });
});
