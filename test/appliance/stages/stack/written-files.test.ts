import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { described } from '../../../../appliance/stages/stack/stage.ts';
import { strayFiles, writeStack } from '../../../../appliance/stages/stack/write-stack.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folder = 'var/lib/landfall/stack/gateway/conf.d';
const ours = {
  path: 'gateway/conf.d/ui.conf',
  content: 'server {}\n',
  mode: 0o644,
  owner: process.getuid?.() ?? 0,
};

it('finds and removes a file of another program among those of nginx', async () => {
  const host = TemporaryHost.with({
    [`${folder}/ui.conf`]: ours.content,
    [`${folder}/broken.conf`]: 'server {',
  });
  expect(await strayFiles(host, [ours])).toEqual(['gateway/conf.d/broken.conf']);
  await writeStack(host, [ours]);
  expect(existsSync(host.path(folder, 'broken.conf'))).toBe(false);
  expect(await strayFiles(host, [ours])).toEqual([]);
});

it('counts pages of the documentation instead of listing them', () => {
  const pages = ['docs/a.html', 'docs/b.html', 'docs/c.html'].map((path) => ({ ...ours, path }));
  expect(described([ours, ...pages])).toEqual([
    'write gateway/conf.d/ui.conf',
    'write 3 pages of the documentation',
  ]);
});
