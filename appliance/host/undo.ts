import { readdir } from 'node:fs/promises';
import { isMissing, removeFile, writeText } from './files.ts';
import type { Host } from './host.ts';

/** Shell scripts that put back what nobody has confirmed yet, one a change. */
const undoFolder = 'var/lib/landfall/undo';

/**
 * Arms an undo before a change that could lock the owner out: a script of sh that runs by itself
 * after `seconds` unless {@link confirm} comes first. The timer is systemd's, so it outlives this
 * program; the script lies on disk, so a change that a power cut left unconfirmed is undone by
 * {@link undoUnconfirmed} when the program comes back.
 * @param script lines of sh, run as root; must be right to run twice
 */
export async function armUndo(
  host: Host,
  name: string,
  script: string,
  seconds: number,
): Promise<void> {
  await disarm(host, name);
  const path = `${undoFolder}/${name}.sh`;
  await writeText(host, path, `#!/bin/sh\n${script.trimEnd()}\nrm -f ${host.path(path)}\n`, {
    mode: 0o700,
  });
  await host.run('systemd-run', [
    '--quiet',
    `--unit=${unitOf(name)}`,
    `--on-active=${seconds}`,
    '--timer-property=AccuracySec=1s',
    host.path(path),
  ]);
}

/** The change has proved itself: it stays. */
export async function confirm(host: Host, name: string): Promise<void> {
  await disarm(host, name);
  await removeFile(host, `${undoFolder}/${name}.sh`);
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

/** Undoes at once what an earlier run left unconfirmed. */
export async function undoUnconfirmed(host: Host): Promise<string[]> {
  const names = await unconfirmed(host);
  for (const name of names) {
    await disarm(host, name);
    await host.run('/bin/sh', [host.path(undoFolder, `${name}.sh`)]);
  }
  return names;
}

async function disarm(host: Host, name: string): Promise<void> {
  await host.succeeds('systemctl', ['stop', `${unitOf(name)}.timer`]);
}

function unitOf(name: string): string {
  return `landfall-undo-${name}`;
}
