import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import {
  hasComposePlugin,
  installComposePlugin,
} from '../../../../appliance/stages/runtime/compose-plugin.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const plugin = 'usr/local/lib/docker/cli-plugins/docker-compose';
const standalone = 'usr/local/bin/docker-compose';
const bytes = 'the program';

/** Returns a server whose release contains a Compose plugin. */
function withRelease(files: Readonly<Record<string, string>> = {}) {
  const host = TemporaryHost.with({ [`release/${composePlugin}`]: bytes, ...files });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { path: composePlugin, size: bytes.length, sha256, offset: 0, executable: true };
  return {
    ...contextFor(host, { release: { files: [file] } }),
    releaseFolder: host.path('release'),
  };
}

describe('the Compose plugin of the release', () => {
  it('installs the Compose plugin under both of its names', async () => {
    const context = withRelease();
    expect(await hasComposePlugin(context)).toBe(false);
    await installComposePlugin(context);
    expect(await hasComposePlugin(context)).toBe(true);
    expect(readFileSync(context.host.path(plugin), 'utf8')).toBe(bytes);
    expect(readlinkSync(context.host.path(standalone))).toBe(`/${plugin}`);
  });

  it('reports the Compose plugin as not installed if the file differs', async () => {
    const context = withRelease();
    await installComposePlugin(context);
    writeFileSync(context.host.path(plugin), 'another program');
    expect(await hasComposePlugin(context)).toBe(false);
  });

  it('replaces a link to another Compose', async () => {
    const context = withRelease({ 'home/compose': bytes });
    await installComposePlugin(context);
    rmSync(context.host.path(plugin));
    symlinkSync(context.host.path('home/compose'), context.host.path(plugin));
    expect(await hasComposePlugin(context)).toBe(false);
    await installComposePlugin(context);
    expect(lstatSync(context.host.path(plugin)).isFile()).toBe(true);
    expect(readFileSync(context.host.path('home/compose'), 'utf8')).toBe(bytes);
  });

  // Regression: after a kill between the two, the second name was never created.
  it.each(['nothing', 'a file', 'an unfinished link'])(
    'installs the Compose plugin again if its second name is %s',
    async (what) => {
      const context = withRelease();
      await installComposePlugin(context);
      const path = context.host.path(standalone);
      rmSync(path);
      mkdirSync(dirname(path), { recursive: true });
      if (what === 'a file') writeFileSync(path, 'old');
      if (what === 'an unfinished link') writeFileSync(`${path}.landfall-new`, '');
      expect(await hasComposePlugin(context)).toBe(false);
      await installComposePlugin(context);
      expect(await hasComposePlugin(context)).toBe(true);
    },
  );
});
