import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256Hex } from '#contract/trust/digest.ts';
import { makeFolder } from '../files/make-folder.ts';

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

  /** Records that the file at this path is the bundle with this manifest and signing key. */
  async remember(path: string, manifestSha256: string, keyId: string): Promise<void> {
    const stamp = this.#stampOf(path);
    await makeFolder(dirname(stamp));
    await writeFile(stamp, `${manifestSha256} ${keyId} ${await identity(path)}\n`);
  }

  /** Returns whether the file at this path is that bundle, without reading it. */
  async has(path: string, manifestSha256: string, keyId: string): Promise<boolean> {
    try {
      const stamp = await readFile(this.#stampOf(path), 'utf8');
      return stamp === `${manifestSha256} ${keyId} ${await identity(path)}\n`;
    } catch {
      return false;
    }
  }

  #stampOf(path: string): string {
    return join(this.#folder, sha256Hex(resolve(path)));
  }
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
