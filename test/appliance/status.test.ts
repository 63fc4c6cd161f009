import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeStatus } from '../../appliance/status.ts';

it('the status is one JSON file that replaces the one before, with nothing left beside it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'landfall-status-'));
  try {
    await writeStatus(root, { stage: 'preflight', state: 'running', release: '1.0.0' });
    await writeStatus(root, { stage: 'preflight', state: 'done', release: '1.0.0' });
    const folder = join(root, 'run/landfall');
    expect(await readdir(folder)).toEqual(['status.json']);
    const status = JSON.parse(await readFile(join(folder, 'status.json'), 'utf8'));
    expect(status).toEqual({ stage: 'preflight', state: 'done', release: '1.0.0' });
  } finally {
    await rm(root, { recursive: true });
  }
});
