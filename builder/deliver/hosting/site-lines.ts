import { posix } from 'node:path';
import { channelFile } from '#contract/channel/channel.ts';
import { isBundle } from './release-files.ts';

/**
 * Returns the lines of site.yaml for files at these URLs: the release, unless there are several, and the
 * channels. A blank line before them; empty if there is nothing to write.
 * @param urls of the folder with the files, with a slash at their end
 * @param names of the files below it, such as `v1.1.0/landfall-1.1.0-amd64.tar`
 */
export function siteLines(urls: readonly string[], names: readonly string[]): string {
  const folderOf = (name: string) => posix.join(posix.dirname(name), '/').replace(/^\.\//, '');
  const foldersOf = (all: readonly string[]) => [...new Set(all.map(folderOf))];
  const releases = foldersOf(names.filter(isBundle));
  const channels = foldersOf(names.filter((name) => posix.basename(name) === channelFile));
  const below = (folders: readonly string[]) =>
    folders.flatMap((folder) => urls.map((url) => `- ${new URL(folder, url).href}`));
  const lines = [
    ...(releases.length === 1 ? ['release:', ...below(releases).map((line) => `  ${line}`)] : []),
    ...(channels.length > 0
      ? ['updates:', '  channels:', ...below(channels).map((line) => `    ${line}`)]
      : []),
  ];
  return lines.length === 0 ? '' : `\nsite.yaml:\n${lines.join('\n')}\n`;
}
