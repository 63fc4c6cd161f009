import { z } from 'zod';
import { program } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { nodeBinary } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import type { Host } from '../host/host.ts';
import { runSealed } from '../host/sealed-unit.ts';

/** What the program does with the files of a volume; see `volume-copy.ts` and `ollama-manifests.ts`. */
export const volumeTasks = [
  'copy',
  'facts',
  'accounts',
  'verify',
  'copy-manifests',
  'restore-manifests',
  'backup-copy',
  'backup-check',
  'copy-before-restore',
  'adopt-restored',
  'give-back',
] as const;
export type VolumeTask = (typeof volumeTasks)[number];

/** One task runs at a time. */
const unit = 'landfall-volume-task.service';

/** Time limit in seconds: a slow disk copies a database of 20 GB. */
const limit = 3600;

/**
 * Runs a task on the folder of a volume, in a unit that sees the volume, the program of the release and the
 * system's libraries: a link that a container has made leads nowhere else (systemd.exec(5)).
 * @param releaseFolder absolute path
 * @param folder absolute path of the folder that Docker has for the volume
 * @returns what the task prints
 * @throws LandfallError COMMAND_FAILED
 */
export async function runOnVolume(
  host: Host,
  releaseFolder: string,
  task: VolumeTask,
  folder: string,
  id: string,
): Promise<string> {
  const properties = [
    `BindReadOnlyPaths=${releaseFolder}`,
    `BindPaths=${folder}`,
    'PrivateNetwork=yes',
    'CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER',
  ];
  const node = [`${releaseFolder}/${nodeBinary}`, '--disable-warning=ExperimentalWarning'];
  const command = [...node, `${releaseFolder}/${program}`, 'volume-task', task, folder, id];
  try {
    return (await runSealed(host, { unit, properties, command, seconds: limit })).stdout;
  } catch (cause) {
    const { problems = [], hint } = cause as LandfallError;
    const message = `the task ${task} on ${folder} failed`;
    throw new LandfallError('COMMAND_FAILED', message, { problems, hint, cause });
  }
}

/** Returns the folder that Docker has for a volume of the stack; undefined if there is no volume. */
export async function volumeFolder(host: Host, name: string): Promise<string | undefined> {
  const args = ['volume', 'inspect', '--format', '{{json .Mountpoint}}', `landfall_${name}`];
  const { code, stdout } = await host.run('docker', args, { accept: [1] });
  if (code !== 0) return undefined;
  const path = readJson(z.string().regex(/^\/.+\/_data$/), stdout);
  if (path !== undefined) return path.replace(/\/_data$/, '');
  throw new LandfallError('STATE_INVALID', `Docker names no folder of the volume ${name}`, {
    hint: "Landfall updates servers whose volumes are in Docker's own folder.",
  });
}

/**
 * Returns the same as {@link volumeFolder}, for changes of the data: a Docker that does not respond is no
 * server without the volume.
 * @throws LandfallError COMMAND_FAILED
 */
export async function existingVolume(host: Host, name: string): Promise<string | undefined> {
  const folder = await volumeFolder(host, name);
  if (folder !== undefined) return folder;
  const { stdout } = await host.run('docker', ['volume', 'ls', '--format', '{{.Name}}']);
  if (!stdout.split('\n').includes(`landfall_${name}`)) return undefined;
  throw new LandfallError('COMMAND_FAILED', `Docker does not describe the volume ${name}`, {
    hint: 'Read the log of Docker: `sudo journalctl --unit docker`.',
  });
}
