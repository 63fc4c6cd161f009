import { statSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { putTree } from '../../../../appliance/operations/transactions/saved-files.ts';
import { TemporaryHost } from '../../temporary-host.ts';

it('keeps the age of a restored secret', async () => {
  const host = TemporaryHost.with({ 'backup/KEY': 'a secret' });
  const then = new Date('2026-01-02T03:04:05Z');
  utimesSync(host.path('backup/KEY'), then, then);
  await putTree(host.path('backup'), host.path('secrets'), { removesOthers: true });
  expect(statSync(host.path('secrets/KEY')).mtime).toEqual(then);
});
