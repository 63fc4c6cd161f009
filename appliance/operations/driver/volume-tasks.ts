import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { readAccounts } from '../../server/chats/accounts.ts';
import { readChatFacts } from '../../server/chats/chat-facts.ts';
import { adoptRestored, copyBeforeRestore, giveBack } from '../../server/chats/restored-copy.ts';
import { type VolumeTask, volumeTasks } from '../../server/chats/sandbox.ts';
import {
  checkBackupCopy,
  copyForBackup,
  copyVolume,
  verifyCopy,
} from '../../server/chats/volume-copy.ts';

/** Reads or copies files of a volume, in a unit that sees nothing else. */
export async function runVolumeTask(name: string, folder: string, id: string): Promise<void> {
  const task = volumeTasks.find((each) => each === name);
  if (!task) throw new LandfallError('USAGE', `there is no task ${name}`);
  await tasks[task](folder, id);
}

const tasks: Readonly<Record<VolumeTask, (folder: string, id: string) => Promise<void>>> = {
  copy: async (folder, id) => print(await copyVolume(folder, id)),
  facts: async (folder) => print(readChatFacts(`${folder}/_data`)),
  accounts: async (folder) => print(readAccounts(`${folder}/_data`)),
  verify: verifyCopy,
  'copy-manifests': copyManifests,
  'restore-manifests': restoreManifests,
  'backup-copy': copyForBackup,
  'backup-check': async (folder) => print(await checkBackupCopy(folder)),
  'copy-before-restore': async (folder, id) => print((await copyBeforeRestore(folder, id)) ?? null),
  'give-back': giveBack,
  'adopt-restored': async (folder, id) => print(await adoptRestored(folder, id)),
};

function print(value: object | null): void {
  console.log(JSON.stringify(value));
}

/**
 * Ollama's list of models. Their files are named by their content and never change, so a copy of the list
 * is a copy of the models while nothing is pruned (`OLLAMA_NOPRUNE`). Runs in the unit of `sandbox.ts`.
 */
const manifests = '_data/models/manifests';
const copyOf = (id: string) => `manifests.copy-${id}`;

/** Copies the manifests. @param folder absolute path of the volume's folder */
export async function copyManifests(folder: string, id: string): Promise<void> {
  const copy = join(folder, copyOf(id));
  await rm(copy, { recursive: true, force: true });
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  await cp(join(folder, manifests), copy, options).catch((error) => {
    // An Ollama that never had a model.
    if (error.code !== 'ENOENT') throw error;
  });
  await syncFolder(folder);
}

/** Puts the copied manifests back. Without a copy, it has been done. */
export async function restoreManifests(folder: string, id: string): Promise<void> {
  if (!(await readdir(folder)).includes(copyOf(id))) return;
  await rm(join(folder, manifests), { recursive: true, force: true });
  await rename(join(folder, copyOf(id)), join(folder, manifests));
  await syncFolder(folder);
}
