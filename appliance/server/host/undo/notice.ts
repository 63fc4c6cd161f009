import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { defaultColumns, wrap } from '#contract/text/wrap.ts';
import { readText, removeFile, statIfPresent, writeText } from '../files.ts';
import type { Host } from '../host.ts';

/** Texts of changes that wait, for users who log in. A reboot deletes them, and undoes the changes. */
export const waitingFolder = 'run/landfall/waiting';
/** Texts of changes that were undone, for a day. */
export const undoneFolder = 'var/lib/landfall/undone';
const dayMs = 86_400_000;

/** A change that is announced to the administrator. */
interface Announced {
  readonly name: string;
  /** Such as `the change of the firewall`. */
  readonly subject: Text;
  /** Whether another program undoes the change after the script; default: the script does. */
  readonly undoneLater?: boolean | undefined;
}

/**
 * Writes the text of a change that waits for the administrator.
 * @param end when the change is undone
 * @returns lines of sh before the script that undoes it, and after it: they replace the text by that of an undone change
 */
export async function announce(
  host: Host,
  { name, subject, undoneLater = false }: Announced,
  end: Date,
): Promise<{ readonly before: string; readonly after: string }> {
  const time = formatTime(end);
  const text = {
    en: `A change waits for you: \`sudo landfall confirm\`, until ${time}`,
    zh: `有更改等待您确认：\`sudo landfall confirm\`，截止 ${time}`,
  };
  await removeFile(host, `${undoneFolder}/${name}`);
  const lines = wrap(inLanguage(text), defaultColumns);
  await writeText(host, `${waitingFolder}/${name}`, `${lines.join('\n')}\n`);
  const undone = undoneLater
    ? {
        en: `${subject.en} was not confirmed; it is being undone`,
        zh: `${subject.zh}未经确认，正在撤销`,
      }
    : undoneText(subject, "$(date '+%Y-%m-%d %H:%M %Z')");
  const [folder, file] = [host.path(undoneFolder), host.path(undoneFolder, name)];
  return {
    before: `rm -f ${host.path(waitingFolder, name)}\n`,
    after: `[ -n "$failed" ] || { mkdir -p ${folder}; echo "${inLanguage(undone)}" >${file}; }\n`,
  };
}

/** Says that a change was undone, which the script of its undo has only begun. */
export async function announceUndone(host: Host, { name, subject }: Announced): Promise<void> {
  const text = inLanguage(undoneText(subject, formatTime(new Date())));
  await writeText(host, `${undoneFolder}/${name}`, `${text}\n`);
}

function undoneText({ en, zh }: Text, at: string): Text {
  return {
    en: `${en} was not confirmed; it was undone at ${at}`,
    zh: `${zh}未经确认，已于 ${at} 撤销`,
  };
}

/** Removes the text of a change that no longer waits, or that failed. */
export async function retract(host: Host, name: string): Promise<void> {
  for (const folder of [waitingFolder, undoneFolder]) await removeFile(host, `${folder}/${name}`);
}

/** Returns the lines about changes that wait. Needs no root. */
export async function waitingNotices(host: Host): Promise<string[]> {
  return await textsIn(host, waitingFolder);
}

/** Returns the lines about changes that were undone within a day. Needs no root. */
export async function undoneNotices(host: Host): Promise<string[]> {
  return await textsIn(host, undoneFolder, dayMs);
}

async function textsIn(host: Host, folder: string, maxAge?: number): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await host.namesIn(folder)).sort()) {
    const path = `${folder}/${name}`;
    const age = Date.now() - ((await statIfPresent(host, path))?.mtimeMs ?? 0);
    const text = maxAge === undefined || age < maxAge ? await readText(host, path) : undefined;
    if (text) lines.push(text.trim().replace(/\s*\n\s*/g, ' '));
  }
  return lines;
}
