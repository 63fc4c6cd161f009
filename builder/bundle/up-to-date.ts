import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256Hex } from '#contract/trust/digest.ts';
import { makeFolder } from '../files/make-folder.ts';
import { filesOfBundle } from './parts/bundle-files.ts';

/** What identifies a bundle, besides its files. */
interface BuiltBundle {
  readonly manifestSha256: string;
  /** ID of the signing key. */
  readonly keyId: string;
  /** Bytes; undefined: no limit. */
  readonly maxPartSize?: number | undefined;
}

/**
 * Records the built bundles by path, so that a build without changes writes nothing. A file whose
 * size, time or inode changed counts as not built. So do all files after a reboot, because a power
 * failure can corrupt files that were not synced.
 */
export class BuiltBundles {
  readonly #folder: string;

  constructor(storeFolder: string) {
    this.#folder = join(storeFolder, 'built');
  }

  /**
   * Records that a bundle has this manifest and signing key.
   * @param path path of the whole file, even if the bundle is in parts
   */
  async remember(path: string, bundle: BuiltBundle): Promise<void> {
    const stamp = this.#stampOf(path);
    await makeFolder(dirname(stamp));
    await writeFile(stamp, await textOf(path, bundle));
  }

  /** Returns whether the files of this path are that bundle, without reading them. */
  async has(path: string, bundle: BuiltBundle): Promise<boolean> {
    try {
      const stamp = await readFile(this.#stampOf(path), 'utf8');
      return stamp === (await textOf(path, bundle));
    } catch {
      return false;
    }
  }

  #stampOf(path: string): string {
    return join(this.#folder, sha256Hex(resolve(path)));
  }
}

/** Each file counts, also one that was added. */
async function textOf(
  path: string,
  { manifestSha256, keyId, maxPartSize }: BuiltBundle,
): Promise<string> {
  const files = await filesOfBundle(path);
  const identities = await Promise.all(files.map(identity));
  return `${[manifestSha256, keyId, maxPartSize ?? 'whole', ...identities].join(' ')}\n`;
}

async function identity(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [await bootId(), dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Returns Linux's ID of the current boot (random(4)). Elsewhere it is random, so nothing matches. */
async function bootId(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID());
  return id.trim();
}
