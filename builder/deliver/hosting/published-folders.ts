import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { channelFile, channelSignatureFile } from '#contract/channel/channel.ts';
import { LandfallError } from '#contract/errors.ts';
import { orFileError } from '#files/file-error.ts';
import { filesIn, isBundle, type ReleaseFile, releaseFiles } from './release-files.ts';

/** A folder that is published: a release, the rotations of the keys, or a channel. */
export interface PublishedFolder {
  /** Its name below the source; empty for the source itself. */
  readonly name: string;
  readonly files: readonly ReleaseFile[];
}

/**
 * Returns the folders of a source in the order of an upload: releases, rotations of the keys, channels. So
 * no reader finds a channel before its releases.
 * @param source a bundle, the folder of a release, of rotations or of a channel, or the folder above them
 * @throws LandfallError FILE_MISSING, also for a channel that is not signed; FILE_ACCESS
 */
export async function publishedFolders(source: string): Promise<PublishedFolder[]> {
  const path = resolve(source);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return [{ name: '', files: await releaseFiles(source) }];
  const own = await orFileError(path, filesIn(path));
  if (rankOf(own) !== undefined) return [{ name: '', files: refuseUnsigned(path, own) }];
  const entries = await orFileError(path, readdir(path, { withFileTypes: true }));
  const names = entries.filter((entry) => entry.isDirectory() && isPlain(entry.name));
  const folders = await Promise.all(
    names.map(async ({ name }) => ({ name, files: await filesIn(join(path, name)) })),
  );
  const ranked = folders
    .map((folder) => ({ folder, rank: rankOf(folder.files) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((one, other) => Number(one.rank) - Number(other.rank));
  for (const { folder } of ranked) refuseUnsigned(join(path, folder.name), folder.files);
  if (ranked.length > 0) return ranked.map(({ folder }) => folder);
  throw new LandfallError('FILE_MISSING', `${source} has no release`, {
    hint: 'Use the output folder of `landfall build`, a bundle in it, or the folder above releases.',
  });
}

function isPlain(name: string): boolean {
  return /^[A-Za-z0-9][\w.+-]{0,99}$/.test(name);
}

/** Returns the position of a folder in an upload; undefined for a folder of another kind. */
function rankOf(files: readonly ReleaseFile[]): number | undefined {
  if (files.some(({ name }) => isBundle(name))) return 0;
  if (files.some(({ name }) => /^\d+\.json$/.test(name))) return 1;
  return files.some(({ name }) => name === channelFile) ? 2 : undefined;
}

/** A changed channel has no signature, and servers would reject it. */
function refuseUnsigned(folder: string, files: readonly ReleaseFile[]): readonly ReleaseFile[] {
  const names = files.map(({ name }) => name);
  if (!names.includes(channelFile) || names.includes(channelSignatureFile)) return files;
  throw new LandfallError('FILE_MISSING', `${folder} has no ${channelSignatureFile}`, {
    hint: 'Sign the channel: landfall channel sign.',
  });
}
