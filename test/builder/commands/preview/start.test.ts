import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReleaseImage } from '#contract/bundle/release.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { Docker } from '../../../../builder/commands/preview/docker/docker.ts';
import { pullImages } from '../../../../builder/commands/preview/start.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-pull-images-'));
});
afterEach(() => rm(folder, { recursive: true }));

const image: ReleaseImage = {
  component: 'gateway',
  reference: 'registry.example:5000/nginx:1.30.7-alpine',
  index: `sha256:${'a'.repeat(64)}`,
  manifest: `sha256:${'b'.repeat(64)}`,
  config: null,
  size: null,
  optional: false,
};
const pulled = `registry.example:5000/nginx@${image.manifest}`;
const name = `landfall.local/landfall-preview-demo/gateway:${'a'.repeat(12)}`;

/** Pulls the image, and returns the calls of docker and the records, in order. */
async function pull(existing: string): Promise<string[]> {
  const log = join(folder, 'log');
  const script = `#!/bin/sh
echo "$*" >> ${log}
[ "$2" != inspect ] && exit 0
[ "$5" = "${existing}" ] && echo 1
`;
  await writeFile(join(folder, 'docker'), script, { mode: 0o755 });
  await pullImages(new Docker({ PATH: `${folder}:/usr/bin:/bin` }), [image], {
    project: 'landfall-preview-demo',
    reporter: silentReporter,
    record: (reference) => writeFile(log, `record ${reference}\n`, { flag: 'a' }),
  });
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  return lines.filter((line) => !line.startsWith('image inspect'));
}

describe('an image of a thin bundle', () => {
  it('records an image of a thin bundle, pulls it by digest, and keeps only its preview name', async () => {
    expect(await pull('none')).toEqual([
      `record ${pulled}`,
      `image pull --quiet ${pulled}`,
      `image tag ${pulled} ${name}`,
      `image rm --no-prune ${pulled}`,
    ]);
  });

  it('keeps its other name if Docker had it before', async () => {
    expect(await pull(pulled)).toEqual([`image tag ${pulled} ${name}`]);
  });
});
