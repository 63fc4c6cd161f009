import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dropBrokenParts } from '../../../../appliance/stages/models/fetch-model.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const store = 'var/lib/docker/volumes/landfall_engine-data/_data/models';
const [broken, whole] = [`sha256-${'a'.repeat(64)}`, `sha256-${'b'.repeat(64)}`];

it.each([
  ['', -60],
  [' while the clock was ahead', 3600],
])(
  'deletes all parts of a blob damaged by a full disk%s, and no other file',
  async (_when, since) => {
    const host = TemporaryHost.with({});
    const folder = host.path(store, 'blobs');
    mkdirSync(folder, { recursive: true });
    const part = '{"N":0,"Offset":0,"Size":10,"Completed":4}';
    const files = {
      [`${broken}-partial`]: 'data',
      [`${broken}-partial-0`]: '',
      [`${broken}-partial-1`]: part,
      [`${whole}-partial`]: '',
      [`${whole}-partial-0`]: part,
      [broken]: '',
      'notes-partial-0': '',
    };
    const then = Date.now() / 1000 + since;
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content);
      utimesSync(join(folder, name), then, then);
    }
    const begun = `sha256-${'c'.repeat(64)}-partial-0`;
    writeFileSync(join(folder, begun), '');
    await dropBrokenParts(host, store);
    expect(readdirSync(folder).sort()).toEqual(
      [`${whole}-partial`, `${whole}-partial-0`, broken, begun, 'notes-partial-0'].sort(),
    );
  },
);

it('keeps the files of a folder outside of the volume that a link leads to', async () => {
  const part = `${broken}-partial-0`;
  const host = TemporaryHost.with({ [`etc/secret/${part}`]: '', [`${store}/file`]: '' });
  utimesSync(host.path('etc/secret', part), 0, 0);
  symlinkSync(host.path('etc/secret'), host.path(store, 'blobs'));
  await dropBrokenParts(host, store);
  expect(readdirSync(host.path('etc/secret'))).toEqual([part]);
});

it('does nothing without a previous download', async () => {
  await expect(dropBrokenParts(TemporaryHost.with({}), store)).resolves.toBeUndefined();
});
