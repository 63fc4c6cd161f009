import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a release. */
export interface ListedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hex digits. */
  readonly sha256: string;
}

/** Returns the names of all files of a folder, sorted. */
export async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

/** Reads all files of a folder, sorted by name. */
export async function listFiles(folder: string): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const name of await listNames(folder)) listed.push(await readListed(folder, name));
  return listed;
}

/** Reads one file of a folder. */
export async function readListed(folder: string, name: string): Promise<ListedFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { name, size, sha256: hash.digest('hex') };
}
