import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { modelsFolder } from '#contract/bundle/bundle-paths.ts';
import { readDiskPlan } from '../host/disk-plan.ts';
import type { Context } from '../stage/stage.ts';
import type { ModelState } from './model-states.ts';

/**
 * Removes the bundle's copy of the models where the disk has no room for it beside what is to come
 * and the engine has every one of them. It loses its name first, so that a half removed folder is
 * never taken for a whole one. Where engine and bundle share files this gives nothing back at once,
 * but lets the room of a model go with the model.
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
    report.say("removing the bundle's copy of the models, which the engine has now");
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
