import { LandfallError } from '#contract/errors.ts';
import { applyTransaction } from '../../operations/driver/apply.ts';
import { endUpdate, removePrevious } from '../../operations/driver/end-update.ts';
import { copyManifests, restoreManifests } from '../../operations/driver/ollama-manifests.ts';
import { serverSteps } from '../../operations/driver/steps.ts';
import { removeDriver } from '../../operations/transactions/driver-unit.ts';
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
import { takeChangeLock, takeRunLock } from '../../server/host/lock/run-lock.ts';
import { storedTransaction } from '../../server/records/transaction.ts';
import { serverFacts } from '../command.ts';

/** Applies the open update; the program of `landfall-update.service`. */
export async function driveUpdate(): Promise<void> {
  const { host, site, release } = await serverFacts();
  await takeRunLock(host, 'update');
  // A command of the administrator that changes the server ends first.
  await takeChangeLock(host, console.log, 30 * 60_000);
  await takeRunLock(host, 'first-boot');
  const { arch } = release;
  const end = (open: Parameters<typeof endUpdate>[3]) => endUpdate(host, site, arch, open);
  await applyTransaction(host, serverSteps({ host, site, arch, end }));
  // A stuck update: the unit sends the alert again at each start of the server.
  if (await storedTransaction.read(host)) return;
  await removeDriver(host);
  // The folder of this program, which has nothing more to load.
  await removePrevious(host, arch);
}

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
