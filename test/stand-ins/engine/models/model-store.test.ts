import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workFolder } from '../../../simulator/work-folder.ts';
import { ModelStore } from './model-store.ts';
import { putTinyModel } from './put-tiny-model.ts';

it('removes the blobs of a model that was stored in the same millisecond', async () => {
  const folder = await workFolder();
  await putTinyModel(folder, 'tiny:1b');
  const blobs = join(folder, 'blobs');
  // Times of files have fractions of a millisecond, so they may be later than `Date.now()`.
  const soon = Date.now() / 1000 + 60;
  for (const name of readdirSync(blobs)) utimesSync(join(blobs, name), soon, soon);
  const store = new ModelStore(folder);
  for (const model of await store.list()) await store.remove(model);
  expect(readdirSync(blobs)).toEqual([]);
});
