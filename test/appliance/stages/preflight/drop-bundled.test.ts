import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inBoth } from '#contract/text/language.ts';
import { diskPlanFile, dropBundled } from '../../../../appliance/stages/preflight/public.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const plan = (dropBlobs: boolean, release = '1.0.0') => ({
  [diskPlanFile]: JSON.stringify({ release, dropBlobs, keepPrevious: true, swap: 0 }),
});

function withRelease(files: Record<string, string>) {
  const host = TemporaryHost.with(files);
  const releaseFolder = host.path('release');
  for (const path of ['release/blobs/sha256/abc', 'release/program/landfall.mjs']) {
    mkdirSync(dirname(host.path(path)), { recursive: true });
    writeFileSync(host.path(path), '');
  }
  return { host, context: { ...contextFor(host), releaseFolder } };
}

describe('the image blobs of a release', () => {
  it.each([
    ['the disk has space for them', plan(false)],
    ['there is no disk plan', {}],
    ['the plan is for another release', plan(true, '0.9.0')],
  ])('keeps the image blobs of a release if %s', async (_what, files) => {
    const { host, context } = withRelease(files);
    await dropBundled(context, 'blobs', inBoth('images'));
    expect(existsSync(host.path('release/blobs'))).toBe(true);
  });

  it('deletes the image blobs without disk space for them, and keeps other files of the release', async () => {
    const { host, context } = withRelease(plan(true));
    await dropBundled(context, 'blobs', inBoth('images'));
    expect(existsSync(host.path('release/blobs'))).toBe(false);
    expect(existsSync(host.path('release/blobs.dropped'))).toBe(false);
    expect(existsSync(host.path('release/program/landfall.mjs'))).toBe(true);
  });

  it('deletes the image blobs completely after an earlier run was killed during the deletion', async () => {
    const { host, context } = withRelease(plan(true));
    await dropBundled(context, 'blobs', inBoth('images'));
    mkdirSync(host.path('release/blobs.dropped/sha256'), { recursive: true });
    await dropBundled(context, 'blobs', inBoth('images'));
    expect(existsSync(host.path('release/blobs.dropped'))).toBe(false);
  });
});
