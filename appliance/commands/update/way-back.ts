import type { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { NextRelease } from '../../operations/update/download/next-release.ts';
import { type CopySpace, copySpace } from '../../server/chats/data-size.ts';
import { diskFull } from '../../server/host/free-space.ts';
import type { Host } from '../../server/host/host.ts';
import { askFor } from '../ask-yes.ts';

/** Whether an update copies the chats and keeps the earlier release, or why not. */
type WayBack = 'kept' | 'given-up' | 'declined';

interface WayBackFlags {
  readonly withoutRollback?: boolean;
  readonly yes?: boolean;
}

/** Returns the space for the copy of an update; nothing is copied if the chat UI and Ollama stay open. */
export async function spaceFor(host: Host, next: NextRelease): Promise<CopySpace> {
  const space = await copySpace(host);
  return closesServer(next.components) === false ? { ...space, size: 0 } : space;
}

/** Returns whether a change of components closes the server; undefined if they are unknown. */
export function closesServer(components: readonly string[] | null | undefined) {
  return components?.some((name) => name === 'ui' || name === 'engine');
}

/**
 * Decides whether an update keeps a way back. Without space for it, the administrator gives it up by an
 * option and a typed "yes".
 * @param shortage what is missing; undefined if all fits
 * @throws LandfallError DISK_FULL without the option, USAGE without a terminal
 */
export async function chooseWayBack(
  shortage: Text | undefined,
  { withoutRollback, yes }: WayBackFlags,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<WayBack> {
  if (!shortage) return 'kept';
  if (!withoutRollback) throw noSpace(shortage);
  console.log(`${inLanguage(shortage)}\n${inLanguage(warningOf(from, to))}\n`);
  if (yes) return 'given-up';
  const question = {
    en: 'Type "yes" to update without a way back: ',
    zh: '输入 yes 以在无法恢复的情况下更新：',
  };
  return (await askFor('yes', inLanguage(question), '--yes')) ? 'given-up' : 'declined';
}

/** Returns the error for an update that has no space to keep a way back. */
export function noSpace(shortage: Text): LandfallError {
  return diskFull(inLanguage(shortage), {
    en: 'Free some space (`sudo landfall doctor`), or give up the way back with `sudo landfall update --without-rollback`. Nothing was changed.',
    zh: '释放空间（`sudo landfall doctor`），或用 `sudo landfall update --without-rollback` 放弃回滚。没有更改任何内容。',
  });
}

function warningOf(from: string, to: string): Text {
  return {
    en: `WARNING: this update has no way back. The chats are not copied. If ${to} does not work, ${from} starts again, unless ${to} has changed the database of the chats: then ${to} stays. After the update, ${from} and its images are removed. Make a backup of the volume landfall_ui-data first.`,
    zh: `警告：本次更新无法恢复。不会复制对话数据。如果 ${to} 无法正常工作，会恢复 ${from}；但若 ${to} 已改动对话数据库，就只能保留 ${to}。更新完成后，${from} 及其镜像会被删除。请先备份卷 landfall_ui-data。`,
  };
}
