import { readdir } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { isMissing, readText, removeFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { processClock } from '../run/process.ts';
import { isActive } from '../systemd.ts';
import { installUndoUnit, undoFolder } from './unit.ts';

/** When each change was made, on the clock of processes. A reboot forgets it, and undoes the change. */
const momentsFolder = 'run/landfall/undo';

/** What puts a change back. */
export interface Undo {
  /** Lower case letters and hyphens: names its files and units. */
  readonly name: string;
  /**
   * Lines of sh, run as root. They must be right to run twice, must also be right early in a boot
   * when no service runs yet, and so must not wait for one: `systemctl --no-block`. Where one sets
   * `failed`, all of them run again the next time.
   */
  readonly script: string;
  /** How long a confirmation may take. */
  readonly seconds: number;
}

/**
 * Makes a change that could lock the owner out. It is undone at once when it fails, and by itself
 * when nobody confirms it in time, also over a crash or a power cut.
 * @throws LandfallError what the change throws
 */
export async function changeUnderUndo(
  host: Host,
  undo: Undo,
  change: () => Promise<void>,
): Promise<void> {
  await armUndo(host, undo.name, undo.script, undo.seconds);
  try {
    await change();
  } catch (error) {
    // Why the change failed matters more. An undo that fails is tried again by the next run.
    await undoNow(host, undo.name).catch(() => {});
    throw error;
  }
  await writeMoment(host, undo.name);
}

/**
 * Arms an undo before a change that could lock the owner out: it runs by itself after `seconds`
 * unless {@link confirm} comes first. The timer is systemd's, so it outlives this program; the
 * script lies on disk, and the next boot runs it where a power cut was faster.
 * @param script see {@link Undo}
 */
export async function armUndo(
  host: Host,
  name: string,
  script: string,
  seconds: number,
): Promise<void> {
  await installUndoUnit(host);
  await disarm(host, name);
  await writeMoment(host, name);
  const path = scriptOf(name);
  await writeText(host, path, wholeScript(host, name, script), { mode: 0o700 });
  try {
    await host.run('systemd-run', [
      '--quiet',
      '--collect',
      `--unit=${unitOf(name)}`,
      `--on-active=${seconds}`,
      '--timer-property=AccuracySec=1s',
      '/bin/sh',
      host.path(path),
    ]);
  } catch (error) {
    await removeFile(host, path);
    throw error;
  }
}

/**
 * The change has proved itself: it stays.
 * @throws LandfallError UNCONFIRMED when that comes too late
 */
export async function confirm(host: Host, name: string): Promise<void> {
  await host.succeeds('systemctl', ['stop', `${unitOf(name)}.timer`]);
  const begun = await isActive(host, `${unitOf(name)}.service`);
  if (begun || !(await unconfirmed(host)).includes(name)) {
    throw new LandfallError('UNCONFIRMED', `the change of ${name} was undone before`, {
      hint: 'Make it again, and confirm it in time.',
    });
  }
  await removeFile(host, scriptOf(name));
  await removeFile(host, `${momentsFolder}/${name}`);
}

/** The changes that would be undone if nothing happened. */
export async function unconfirmed(host: Host): Promise<string[]> {
  try {
    const names = await readdir(host.path(undoFolder));
    return names.filter((name) => name.endsWith('.sh')).map((name) => name.replace(/\.sh$/, ''));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** When a change was made that nobody confirmed yet, on the clock of {@link processClock}. */
export async function momentOfChange(host: Host, name: string): Promise<number | undefined> {
  const text = await readText(host, `${momentsFolder}/${name}`);
  return text === undefined ? undefined : Number(text);
}

/** Undoes at once what an earlier run left unconfirmed. Gives the names of these changes. */
export async function undoUnconfirmed(host: Host): Promise<string[]> {
  const names = await unconfirmed(host);
  for (const name of names) await undoNow(host, name);
  return names;
}

async function undoNow(host: Host, name: string): Promise<void> {
  await disarm(host, name);
  await host.run('/bin/sh', [host.path(scriptOf(name))]);
}

async function writeMoment(host: Host, name: string): Promise<void> {
  await writeText(host, `${momentsFolder}/${name}`, `${await processClock(host)}\n`);
}

/** An undo that has begun is ended as well: who disarms runs it, or begins anew. */
async function disarm(host: Host, name: string): Promise<void> {
  const unit = unitOf(name);
  await host.succeeds('systemctl', ['stop', `${unit}.timer`, `${unit}.service`]);
}

/**
 * It takes itself away at its end only, and only if nothing failed: whoever comes after a power cut,
 * or once the disk has room again, runs all of it again. What has begun, no person confirms any more.
 */
function wholeScript(host: Host, name: string, script: string): string {
  return `#!/bin/sh
echo 'landfall: nobody confirmed the change of ${name}: putting back what was there before'
rm -f ${host.path(momentsFolder, name)}
failed=
${script.trimEnd()}
sync
[ -z "$failed" ] || exit 1
rm -f ${host.path(scriptOf(name))}
`;
}

function scriptOf(name: string): string {
  return `${undoFolder}/${name}.sh`;
}

function unitOf(name: string): string {
  return `landfall-undo-${name}`;
}
