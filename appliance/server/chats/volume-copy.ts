import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  lchown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { readChunks } from '../host/read-chunks.ts';
import { type ChatFacts, mergeDatabases, readChatFacts, removeLogs } from './chat-facts.ts';

/**
 * The data of a volume and its copy, in the folder that Docker has for the volume. A container wrote
 * these files, so this code runs in a unit that sees nothing else (`sandbox.ts`).
 */
const dataFolder = '_data';

/** Returns the names of a copy for an update, and of its list of checksums. */
export function copyNames(id: string) {
  return {
    copy: `_data.copy-${id}`,
    /** Written last, so a copy without it is incomplete. */
    list: `_data.copy-${id}.sha256`,
    failed: `_data.failed-${id}`,
  };
}

/**
 * Copies the data of the chat UI, which must be stopped, and merges what its databases have not merged
 * yet. Then it writes the list with the SHA-256 of each copied file.
 * @param folder absolute path of the volume's folder
 * @returns facts about the copied chats
 * @throws LandfallError STATE_INVALID if a database of the copy is damaged
 */
export async function copyVolume(folder: string, id: string): Promise<ChatFacts> {
  const { copy } = copyNames(id);
  await removeCopy(folder, id);
  await copyTree(join(folder, dataFolder), join(folder, copy), '');
  const facts = await mergedFacts(join(folder, copy));
  await writeList(folder, id);
  return facts;
}

/** Merges and checks the databases of a copy. @throws LandfallError STATE_INVALID for a damaged one */
export async function mergedFacts(copy: string): Promise<ChatFacts> {
  await mergeDatabases(copy);
  const facts = readChatFacts(copy);
  await removeLogs(copy);
  return facts;
}

/** Writes the list with the SHA-256 of each file of a copy, which makes the copy complete. */
export async function writeList(folder: string, id: string): Promise<void> {
  const { copy, list } = copyNames(id);
  const lines: string[] = [];
  for await (const path of copiedFiles(join(folder, copy), '')) {
    lines.push(`${await digestOf(join(folder, copy, path))}  ${path}\n`);
  }
  await syncFolder(folder);
  await replaceFile(join(folder, list), lines.join(''), { mode: 0o600 });
}

/** Removes a copy. */
export async function removeCopy(folder: string, id: string): Promise<void> {
  const { copy, list } = copyNames(id);
  for (const name of [list, copy]) await rm(join(folder, name), { recursive: true, force: true });
}

/** Reports whether there is a complete copy, which is not in place of the data yet. */
export async function hasCopy(folder: string, id: string): Promise<boolean> {
  const { copy, list } = copyNames(id);
  const names = await readdir(folder);
  return names.includes(copy) && names.includes(list);
}

/**
 * Verifies a copy, unless it is in place of the data already.
 * @throws LandfallError STATE_INVALID with the files that are missing or differ
 */
export async function verifyCopy(folder: string, id: string): Promise<void> {
  const { copy, list } = copyNames(id);
  if (!(await readdir(folder)).includes(list)) return;
  const lines = (await readFile(join(folder, list), 'utf8')).split('\n').slice(0, -1);
  const wrong: string[] = [];
  for (const line of lines) {
    const [digest, path] = [line.slice(0, 64), line.slice(66)];
    const found = await digestOf(join(folder, copy, path)).catch(() => undefined);
    if (found !== digest) wrong.push(path);
  }
  if (wrong.length === 0) return;
  throw new LandfallError('STATE_INVALID', 'the copy of the chats is damaged', {
    hint: 'Check the disk with `sudo journalctl --dmesg`. The damaged copy is kept.',
    problems: wrong.slice(0, 10).map((path) => ({ message: `${path} differs` })),
  });
}

/**
 * Moves the copy to the place of the data, in two renames. After a power cut between them it goes on;
 * without a copy it has been done. What the newer release wrote stays until the update ends.
 */
export async function swapIn(folder: string, id: string): Promise<void> {
  const { copy, list, failed } = copyNames(id);
  const names = new Set(await readdir(folder));
  if (!names.has(copy) || !(names.has(list) || names.has(failed))) return;
  if (names.has(dataFolder)) {
    // A write of a container that Docker started after a power cut, before the driver stopped it.
    await rm(join(folder, failed), { recursive: true, force: true });
    await rename(join(folder, dataFolder), join(folder, failed));
    await syncFolder(folder);
  }
  await rm(join(folder, list), { force: true });
  await rename(join(folder, copy), join(folder, dataFolder));
  await syncFolder(folder);
}

/** The copy for a backup, in the folder that Docker has for the volume. */
export const backupCopy = '_data.backup';

/**
 * Copies the data of the chat UI, which must be paused or stopped: its state is that of a power cut, which
 * databases survive.
 * @param folder absolute path of the volume's folder
 */
export async function copyForBackup(folder: string): Promise<void> {
  const copy = join(folder, backupCopy);
  await rm(copy, { recursive: true, force: true });
  await copyTree(join(folder, dataFolder), copy, '');
}

/**
 * Merges the databases of a backup's copy, and checks them.
 * @returns facts about the copied chats
 * @throws LandfallError STATE_INVALID if a database is damaged
 */
export async function checkBackupCopy(folder: string): Promise<ChatFacts> {
  return await mergedFacts(join(folder, backupCopy));
}

/** Without set-user-ID and set-group-ID, which the sandbox forbids. */
const permissions = 0o1777;

/**
 * Copies a folder with owners, modes and times. Symbolic links stay links. Sockets and devices are
 * left out.
 * @param path relative to the copied folder, with a slash at its end, or empty
 */
async function copyTree(from: string, to: string, path: string): Promise<void> {
  const { uid, gid, mode, atime, mtime } = await lstat(from);
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target, `${path}${entry.name}/`);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile() && isUpload(path, entry.name)) await link(source, target);
    else if (entry.isFile()) await copyWhole(source, target);
  }
  await lchown(to, uid, gid);
  await chmod(to, mode & permissions);
  await utimes(to, atime, mtime);
}

async function copyWhole(source: string, target: string): Promise<void> {
  const { uid, gid, mode, atime, mtime } = await lstat(source);
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await lchown(target, uid, gid);
  await chmod(target, mode & permissions);
  await utimes(target, atime, mtime);
}

/**
 * Reports whether a file is an upload of a user: `uploads/<uuid>_<name>`. Open WebUI writes it once and
 * never changes it (decision 67), so a link to it is a copy. Models that administrators upload have plain names.
 */
export function isUpload(path: string, name: string): boolean {
  return path === 'uploads/' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_./.test(name);
}

/** Yields the files of a copy that are not links to the original, relative to its folder. */
async function* copiedFiles(folder: string, path: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
    const name = `${path}${entry.name}`;
    if (entry.isDirectory()) yield* copiedFiles(folder, `${name}/`);
    // The list has one file per line.
    else if (entry.isFile() && !isUpload(path, entry.name) && !name.includes('\n')) yield name;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readChunks(path)) hash.update(chunk);
  return hash.digest('hex');
}
