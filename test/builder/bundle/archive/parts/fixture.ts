import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newStatistics } from '../../../../../builder/base/progress/statistics.ts';
import { fileEntry } from '../../../../../builder/bundle/archive/entry.ts';
import { releaseOf } from '../../../../../builder/bundle/archive/release-facts.ts';
import { writeBundle } from '../../../../../builder/bundle/archive/write-bundle.ts';
import type { SigningKey } from '../../../../../builder/bundle/sign/private-key.ts';
import { signRelease } from '../../../../../builder/bundle/sign/sign-release.ts';
import { statementOf } from '../../../../../builder/bundle/sign/statement.ts';
import { factsFor } from '../fixture.ts';

/** A folder with a bundle of 200 kB, in one file or in parts. */
export class BundleFolder implements AsyncDisposable {
  readonly path: string;
  /** Path of the whole file. */
  readonly tar: string;
  readonly #signer: SigningKey;

  private constructor(path: string, signer: SigningKey) {
    this.path = path;
    this.#signer = signer;
    this.tar = join(path, 'bundle.tar');
  }

  static async create(signer: SigningKey): Promise<BundleFolder> {
    return new BundleFolder(await mkdtemp(join(tmpdir(), 'landfall-parts-')), signer);
  }

  /** Writes the bundle; `content` fills its largest file. */
  async write(maxPartSize?: number, content = 'a', version = '1.2.3') {
    const signer = this.#signer;
    const entries = [
      fileEntry('a', Buffer.alloc(200_000, content)),
      fileEntry('b', Buffer.from('second')),
    ];
    const facts = { ...factsFor(signer), version, expires: '2099-01-01T00:00:00Z' };
    const release = releaseOf(facts, entries);
    const statement = statementOf(release, { builderVersion: '0', lockSha256: '0'.repeat(64) });
    const head = signRelease(release, statement, signer);
    const mtime = Date.parse(release.created) / 1000;
    return writeBundle(
      this.tar,
      { head, entries, mtime, maxPartSize },
      { ready: async () => '', statistics: newStatistics() },
    );
  }

  /** Returns the names of all files, sorted. */
  async names(): Promise<string[]> {
    return (await readdir(this.path)).sort();
  }

  part(number: number): string {
    return `${this.tar}.${String(number).padStart(3, '0')}`;
  }

  /** Returns the content of all parts. */
  async joined(): Promise<Buffer> {
    const names = (await this.names()).filter((name) => /\.tar\.\d{3}$/.test(name));
    return Buffer.concat(await Promise.all(names.map((name) => readFile(join(this.path, name)))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}
