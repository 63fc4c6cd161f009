import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeHost } from './code-host.ts';
import { localFile } from './local-file.ts';

interface Upload {
  readonly tag: string;
  readonly kind: 'thin' | 'full';
  /** Commit of the release, for a tag that does not exist yet. */
  readonly commit: string;
  /** The files of the release. */
  readonly folder: string;
  readonly publish: boolean;
}

/**
 * Uploads all files of a release to its draft, which is created if there is none, and sets its notes.
 * Keeps identical files. Publishes the draft if requested.
 * @returns URL of the release on the code host
 * @throws LandfallError USAGE for a file that the code host does not accept, before the first upload;
 * FILE_EXISTS when the release is published; HTTP_…, NETWORK_…
 */
export async function uploadRelease(
  host: CodeHost,
  { tag, kind, commit, folder, publish }: Upload,
): Promise<string> {
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(names.map((name) => localFile(join(folder, name))));
  const draft = await host.findOrCreateDraft({ tag: hostedTag(tag, kind), commit });
  if (names.includes('notes.md')) {
    await host.describe(draft, await readFile(join(folder, 'notes.md'), 'utf8'));
  }
  for (const file of files) await host.upload(draft, file);
  if (!publish) return draft.html_url;
  return (await host.publish(draft, kind === 'thin')).html_url;
}

/** Returns the tag on the code host: the files of both kinds have the same names (decision 36). */
function hostedTag(tag: string, kind: 'thin' | 'full'): string {
  return kind === 'thin' ? tag : `full-${tag}`;
}
