import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { readText, removeFile, statIfPresent, writeText } from '../files.ts';
import type { Host } from '../host.ts';

/** Texts of changes that wait, for users who log in. A reboot deletes them, and undoes the changes. */
export const waitingFolder = 'run/landfall/waiting';
/** Texts of changes that were undone, for a day. */
export const undoneFolder = 'var/lib/landfall/undone';
const dayMs = 86_400_000;

/**
 * Writes the text of a change that waits for the administrator.
 * @param subject such as `the change of the firewall`
 * @param end when the change is undone
 * @returns lines of sh that replace it by the text of an undone change
 */
export async function announce(
  host: Host,
  name: string,
  subject: Text,
  end: Date,
): Promise<string[]> {
  const time = formatTime(end);
  const text = {
    en: `A change waits for you: \`sudo landfall confirm\`, until ${time}`,
    zh: `有更改等待您确认：\`sudo landfall confirm\`，截止 ${time}`,
  };
  await removeFile(host, `${undoneFolder}/${name}`);
  await writeText(host, `${waitingFolder}/${name}`, `${inLanguage(text)}\n`);
  const at = "$(date '+%Y-%m-%d %H:%M %Z')";
  const undone = {
    en: `${subject.en} was not confirmed; it was undone at ${at}`,
    zh: `${subject.zh}未经确认，已于 ${at} 撤销`,
  };
  return [
    `rm -f ${host.path(waitingFolder, name)}`,
    `mkdir -p ${host.path(undoneFolder)}`,
    `echo "${inLanguage(undone)}" >${host.path(undoneFolder, name)}`,
  ];
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
    if (text) lines.push(text.trim());
  }
  return lines;
}
