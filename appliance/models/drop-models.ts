import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { modelsFolder } from '#contract/bundle/bundle-paths.ts';
import { readDiskPlan } from '../host/disk-plan.ts';
import type { Context } from '../stage/stage.ts';
import type { ModelState } from './model-states.ts';

/**
 * Removes the bundled models if the disk plan needs their space and Ollama has imported all of them.
 * The folder is renamed first, so that a partly removed one is never used. If Ollama shares the files,
 * their space becomes free when the model is removed.
 */
export async function dropModels(
  {
    host,
    release,
    releaseFolder,
    report,
  }: Pick<Context, 'host' | 'release' | 'releaseFolder' | 'report'>,
  states: readonly ModelState[],
): Promise<void> {
  const plan = await readDiskPlan(host, release.version);
  if (plan?.dropBlobs !== true) return;
  const folder = join(releaseFolder, modelsFolder);
  const doomed = `${folder}.dropped`;
  if (states.some(({ present, carried }) => carried !== undefined && !present)) return;
  if (await isThere(folder)) {
    report.say('removing the bundled models, which Ollama has imported');
    await rm(doomed, { recursive: true, force: true });
    await rename(folder, doomed);
  }
  await rm(doomed, { recursive: true, force: true });
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
