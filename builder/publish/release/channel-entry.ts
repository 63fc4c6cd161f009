import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChannelRelease, encodeChannel, maxNotesBytes } from '#contract/channel/channel.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { addRelease } from '../../deliver/channel/edit-channel.ts';
import type { ReleasePlan } from './check-release.ts';

/**
 * Writes `<name>-<version>.channel.json`: an unsigned channel with this release only, its notes and the
 * severity of the security problem that it solves. `landfall channel add` adds it to the channel.
 * @param folder contains the bundles
 * @throws LandfallError CHANNEL_INVALID, BUNDLE_…
 */
export async function writeChannelEntry(
  folder: string,
  kind: 'thin' | 'full',
  { tag, appliance: { name, version }, changes }: ReleasePlan,
): Promise<void> {
  const onWeb = kind === 'full' ? `full-${tag}` : tag;
  const news = { notes: channelNotes(changes), security: securityOf(changes) };
  const entry = await addRelease(undefined, 'entry', folder, news, onWeb);
  await writeFile(join(folder, `${name}-${version}.channel.json`), encodeChannel(entry));
}

/**
 * Returns the severity in a section of the changelog: `### Security` (keepachangelog.com), or
 * `### Security: critical`.
 */
export function securityOf(changes: string): ChannelRelease['security'] {
  const heading = /^### Security(?<critical>: critical)?$/m.exec(changes);
  if (!heading) return 'none';
  return heading.groups?.critical ? 'critical' : 'moderate';
}

/** Returns the first lines of a section of the changelog, as many as a channel may have. */
export function channelNotes(changes: string): string {
  const lines = changes.replaceAll('\t', '  ').split('\n');
  while (encodeUtf8(lines.join('\n')).length > maxNotesBytes) lines.pop();
  return lines.join('\n').trimEnd();
}
