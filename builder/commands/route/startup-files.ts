import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { refuseOtherOwner } from '#editor/file-access.ts';
import { fileError } from '#files/file-error.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { requireClosedBlock, withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';
import { quoted } from '#proxy-settings/shell-functions.ts';
import { configFolder } from '../../base/files/user-folders.ts';
import type { RouteFiles } from './settings.ts';

/** A file that a shell reads when it starts. */
interface StartupFile {
  readonly path: string;
  /** Reads the functions of `landfall route`. */
  readonly lines: string;
}

/** Returns the startup files that exist, and that of the user's login shell. */
export function startupFiles(env: NodeJS.ProcessEnv, files: RouteFiles): StartupFile[] {
  const home = env.HOME || homedir();
  const posix = `if [ -r ${quoted(files.posix)} ]; then . ${quoted(files.posix)}; fi\n`;
  const fish = `if test -r ${quoted(files.fish)}; source ${quoted(files.fish)}; end\n`;
  const all = {
    bash: { path: join(home, '.bashrc'), lines: posix },
    zsh: { path: join(env.ZDOTDIR || home, '.zshrc'), lines: posix },
    fish: { path: join(configFolder(env), 'fish', 'config.fish'), lines: fish },
  };
  const own = basename(env.SHELL ?? '');
  return Object.entries(all)
    .filter(([shell, { path }]) => shell === own || existsSync(path))
    .map(([, file]) => file);
}

/** Returns the path of the copy of a startup file as it was before our block. */
function backupOf(path: string): string {
  return `${path}.landfall-backup`;
}

/**
 * Verifies that a startup file can be changed.
 * @throws LandfallError FILE_ACCESS for a file of another user, CONFIG_INVALID for a damaged block
 */
export async function requireEditable(path: string): Promise<void> {
  try {
    const target = await followed(path);
    await refuseOtherOwner(target);
    requireClosedBlock((await textOf(target)) ?? '', target);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Adds our block to a startup file, and keeps a copy of a file that had none. */
export async function addBlock({ path, lines }: StartupFile): Promise<void> {
  const target = await followed(path);
  const text = await textOf(target);
  const changed = withBlock(text ?? '', Buffer.from(lines).toString(oneByte));
  if (changed === text) return;
  const mode = await modeOf(target);
  await mkdir(dirname(target), { recursive: true });
  if (text !== undefined && withoutBlock(text) === text) {
    await write(backupOf(target), text, mode);
  }
  await write(target, changed, mode);
}

/**
 * Removes our block. A file that only we wrote is removed, and the copy too unless the user has
 * changed the file since.
 */
export async function removeBlock(path: string): Promise<boolean> {
  const target = await followed(path);
  const text = await textOf(target);
  if (text === undefined || !hasBlock(text)) return false;
  const rest = withoutBlock(text);
  const backup = await textOf(backupOf(target));
  if (rest === '' && backup === undefined) await rm(target);
  else await write(target, rest, await modeOf(target));
  if (backup === rest) await rm(backupOf(target));
  return true;
}

/** Returns whether a startup file has our block. */
export async function isMarked(path: string): Promise<boolean> {
  return hasBlock((await textOf(path)) ?? '');
}

function hasBlock(text: string): boolean {
  return withoutBlock(text) !== text;
}

/** Users keep startup files as links to a repository; the link must stay. */
async function followed(path: string): Promise<string> {
  return await realpath(path).catch(absent(path));
}

/** One character per byte, because a startup file may have another encoding than UTF-8. */
const oneByte = 'latin1';

async function textOf(path: string): Promise<string | undefined> {
  return await readFile(path, oneByte).catch(absent(undefined));
}

async function write(path: string, text: string, mode: number): Promise<void> {
  await replaceFile(path, Buffer.from(text, oneByte), { mode });
}

async function modeOf(path: string): Promise<number> {
  return await stat(path).then(({ mode }) => mode & 0o7777, absent(0o644));
}

/** Returns a handler that replaces the error of a missing file by a value. */
function absent<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}
