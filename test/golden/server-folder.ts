import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Answers, TemporaryHost } from '../appliance/temporary-host.ts';
import { type Section, wholeText } from './golden.ts';

/** What a server has before, and what programs print there. Every other program prints nothing. */
interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly answers?: Answers;
}

/** Returns a server in a temporary folder on which every program succeeds. */
export function anyServer({ files = {}, answers = {} }: Given = {}): TemporaryHost {
  return TemporaryHost.with(files, { '': '', ...answers });
}

/** Runs what changes a server, and returns the files that it wrote or changed. */
export async function written(
  change: (host: TemporaryHost) => Promise<unknown>,
  given: Given = {},
): Promise<Section[]> {
  const host = anyServer(given);
  await change(host);
  return filesOf(host, given.files);
}

/**
 * Returns the files of a server with their permissions, besides those that it had before. The temporary folder
 * is `/` in them.
 */
export function filesOf(
  host: TemporaryHost,
  before: Readonly<Record<string, string>> = {},
): Section[] {
  return readdirSync(host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((file): Section[] => {
      const path = relative(host.root, file);
      const text = readFileSync(file, 'utf8');
      if (before[path] === text) return [];
      const mode = (statSync(file).mode & 0o7777).toString(8);
      const shown = isRandom(path) ? '(random)' : text.replaceAll(host.root, '');
      return [[`/${path}  ${mode}`, wholeText(shown)]];
    });
}

/** Secrets that the server makes. */
function isRandom(path: string): boolean {
  return /^etc\/landfall\/(?:secrets|backup)\//.test(path);
}
