import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256Hex } from '#contract/trust/digest.ts';
import { makeFolder } from '../files/make-folder.ts';

/**
 * Remembers which bundle lies where, so that a build that changes nothing writes nothing. A file
 * that was touched in any way since (another size, time or inode) counts as unknown, and so does
 * every file once the machine was started anew: what a power cut left of it nobody knows.
 */
export class BuiltBundles {
  readonly #folder: string;

  constructor(storeFolder: string) {
    this.#folder = join(storeFolder, 'built');
  }

  /** Remembers that this file is the bundle with this manifest, signed by this key. */
  async remember(path: string, manifestSha256: string, keyId: string): Promise<void> {
    const stamp = this.#stampOf(path);
    await makeFolder(dirname(stamp));
    await writeFile(stamp, `${manifestSha256} ${keyId} ${await identity(path)}\n`);
  }

  /** Tells whether the file at this path is that bundle, without reading it. */
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

/** Linux names every start of the machine (random(4)). Where nobody does, no start is the same. */
async function bootId(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID());
  return id.trim();
}
