import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { releaseKey } from '../../../simulator/keys.ts';
import { splitInto } from '../../../simulator/split-into.ts';

/** Returns a bundle with content of some size. */
export function bundleOf(size = 0): Buffer {
  return makeBundle({
    release: (release) => ({ ...release, expires: '2099-01-01T00:00:00Z' }),
    ...(size === 0 ? {} : { files: [{ path: 'large', content: Buffer.alloc(size, 'content ') }] }),
  });
}

/** An output folder of `landfall build`, with files that must stay private beside the release. */
export class OutputFolder implements AsyncDisposable {
  readonly path: string;
  readonly bundle: Buffer;

  private constructor(path: string, bundle: Buffer) {
    this.path = path;
    this.bundle = bundle;
  }

  static readonly stem = 'landfall-1.2.0-amd64';
  static readonly tar = `${OutputFolder.stem}.tar`;

  /** @param partSize bytes of the parts; undefined: one file */
  static async create(bundle = bundleOf(), partSize?: number): Promise<OutputFolder> {
    const folder = new OutputFolder(await mkdtemp(join(tmpdir(), 'landfall-output-')), bundle);
    const head = headOf(bundle);
    const { stem, tar } = OutputFolder;
    if (partSize === undefined) await folder.write(tar, bundle);
    else {
      const parts = splitInto(bundle, partSize);
      await Promise.all(
        parts.map((part, index) => folder.write(`${tar}.${String(index).padStart(3, '0')}`, part)),
      );
    }
    await folder.write(`${stem}.release.json`, head.get('release.json') ?? '');
    await folder.write(`${stem}.release.json.sig`, head.get('release.json.sig') ?? '');
    await folder.write('release.pub', publicKeyPem(releaseKey.public));
    await folder.write('release.key', 'private');
    await folder.write('site.yaml', 'private');
    await folder.write(`${tar}.partial`, 'incomplete');
    return folder;
  }

  write(name: string, content: string | Uint8Array): Promise<void> {
    return writeFile(join(this.path, name), content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}
