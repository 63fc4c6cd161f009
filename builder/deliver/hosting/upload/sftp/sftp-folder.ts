import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { Transfer } from '../../../../base/progress/reporter.ts';
import type { HashedFile } from '../../hashed-file.ts';
import type { Destination } from '../destination.ts';
import type { SftpSession } from './sftp-session.ts';

/** Milliseconds between two looks at a file that arrives. */
const pollTime = 2000;

async function after(milliseconds: number): Promise<false> {
  await setTimeout(milliseconds, undefined, { ref: false });
  return false;
}

/**
 * A folder on an SFTP server. SFTP has no digests, so each file has one beside it, as `<name>.sha256`. A
 * file has a temporary name until it is complete, and the temporary name contains its digest, so that an
 * upload is resumed with the same bytes only.
 */
export class SftpFolder implements Destination {
  readonly #session: SftpSession;
  readonly #path: string;
  readonly #retry: RetryOptions;
  #sizes: Map<string, number> | undefined;

  constructor(session: SftpSession, path: string, retry: RetryOptions = {}) {
    this.#session = session;
    this.#path = path;
    this.#retry = retry;
  }

  async has({ name, size, sha256 }: HashedFile): Promise<boolean> {
    const sizes = await this.#list();
    const line = digestLine(name, sha256);
    if (sizes.get(name) !== size || sizes.get(digestName(name)) !== line.length) return false;
    const copy = join(this.#session.folder, digestName(name));
    const get = `get ${quoted(digestName(name))} ${quoted(copy)}`;
    await this.#session.run([this.#enter(), get], { isSmall: true });
    return (await readFile(copy, 'utf8')) === line;
  }

  async put(file: HashedFile, transfer: Transfer): Promise<void> {
    const partial = `${file.name}.${file.sha256.slice(0, 16)}.partial`;
    // A digest of other bytes must not stay beside new ones.
    const isDigested = (await this.#list()).has(digestName(file.name));
    if (isDigested) await this.#run([`rm ${quoted(digestName(file.name))}`]);
    const shown = { bytes: 0 };
    const show = (bytes: number) => {
      if (bytes <= shown.bytes) return;
      transfer.advance(bytes - shown.bytes);
      shown.bytes = bytes;
    };
    await withRetry(file.name, () => this.#send(file, partial, show), this.#retry);
    show(file.size);
    const line = join(this.#session.folder, digestName(file.name));
    await writeFile(line, digestLine(file.name, file.sha256));
    await this.#run([
      `rename ${quoted(partial)} ${quoted(file.name)}`,
      `put ${quoted(line)} ${quoted(digestName(file.name))}`,
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }

  /** Sends the bytes that the temporary file is missing, and compares its size. */
  async #send(
    { path, name, size }: HashedFile,
    partial: string,
    show: (bytes: number) => void,
  ): Promise<void> {
    const present = (await this.#list()).get(partial);
    this.#sizes = undefined;
    if (present !== size) {
      const isResumable = present !== undefined && present < size;
      const command = isResumable ? 'reput' : 'put';
      const sending = this.#run([`${command} ${quoted(path)} ${quoted(partial)}`]);
      await this.#watch(partial, sending, show);
    }
    if ((await this.#list()).get(partial) === size) return;
    throw new LandfallError('UPLOAD_REFUSED', `${name} was not stored as sent`, {
      hint: 'Check the free disk space of the server, and run the command again.',
    });
  }

  /** Reports the size of a file while it arrives. sftp shows its own progress only with other text. */
  async #watch(
    partial: string,
    sending: Promise<void>,
    show: (bytes: number) => void,
  ): Promise<void> {
    const ended = sending.then(
      () => true,
      () => true,
    );
    while (this.#session.isShared && !(await Promise.race([ended, after(pollTime)]))) {
      // A lost connection is the failure of the transfer, too.
      const listing = await this.#session.run([this.#enter(), 'ls -l']).catch(() => '');
      show(sizesIn(listing).get(partial) ?? 0);
    }
    await sending;
  }

  /** Returns the sizes of the files; creates the folder the first time. */
  async #list(): Promise<Map<string, number>> {
    if (this.#sizes === undefined) {
      const create = foldersTo(this.#path).map((folder) => `-mkdir ${quoted(folder)}`);
      this.#sizes = sizesIn(await this.#session.run([...create, this.#enter(), 'ls -l']));
    }
    return this.#sizes;
  }

  async #run(commands: readonly string[]): Promise<void> {
    await this.#session.run([this.#enter(), ...commands]);
  }

  #enter(): string {
    return `cd ${quoted(this.#path)}`;
  }
}

function digestName(name: string): string {
  return `${name}.sha256`;
}

/** The line is valid input of `sha256sum --check`. */
function digestLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

/** Returns the path of a folder and of its parents, outermost first. */
function foldersTo(path: string): string[] {
  const names = path.split('/');
  const all = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return all.filter((each) => each !== '' && each !== '.');
}

/**
 * Quotes a path for sftp, which expands no patterns inside quotes.
 * @throws LandfallError USAGE: a line break would begin another command
 */
function quoted(path: string): string {
  if (/\p{Cc}/u.test(path)) {
    throw new LandfallError('USAGE', `the path ${plainLine(path)} has control characters`, {
      hint: 'Rename the folder of the release.',
    });
  }
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

/** Returns the sizes of the regular files, in bytes, from the output of `ls -l` of sftp in the locale C. */
export function sizesIn(listing: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const line of listing.split('\n')) {
    // -rw-r--r--    ? root     domain users    12345 Nov 23 01:00 name
    const [, size, name] = /^-.*\s(\d+) +[A-Z][a-z]{2} +\d+ +[\d:]+ (\S+)$/.exec(line) ?? [];
    if (size !== undefined && name !== undefined) sizes.set(name, Number(size));
  }
  return sizes;
}
