import { join } from 'node:path';
import type { Daemon } from './daemon.ts';
import { findDebianMirror } from './debian-mirror.ts';
import type { Findings } from './findings.ts';
import { provideLlama } from './llama.ts';
import type { Say } from './say.ts';
import { provideStackStorage, startStackRegistry } from './stack-registry.ts';
import { Unmet } from './unmet.ts';
import type { Workspace } from './workspace.ts';

/** Provides the images of the small stack, and a registry that has them. */
export async function provideStack(
  findings: Findings,
  { cache, run }: Workspace,
  say: Say,
  start: (starting: Promise<Daemon>) => Promise<string>,
): Promise<void> {
  const llama = await findings.provide('llama', () => provideLlama(cache, say), { quiet: true });
  const storage = await findings.provide('stackStorage', async () => {
    if (!llama) throw new Unmet('there is no llama.cpp for its engine');
    return await provideStackStorage(cache, llama, findDebianMirror, say);
  });
  await findings.provide('stackRegistry', async () => {
    if (!storage) throw new Unmet('there are no images for it');
    return await start(startStackRegistry(storage, join(run, 'stack-registry')));
  });
}
