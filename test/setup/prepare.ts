import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from '../images/catalogue.ts';
import { pushImages } from '../images/push.ts';
import type { Afterwards } from './afterwards.ts';
import { provideBrowser } from './browser.ts';
import { provideChroot } from './chroot.ts';
import { provideComposePlugin } from './compose-plugin.ts';
import type { Daemon } from './daemon.ts';
import { findDebianMirror } from './debian-mirror.ts';
import { startEngine } from './engine.ts';
import { Findings } from './findings.ts';
import { provideHostImage } from './host-image.ts';
import { provideImages } from './images.ts';
import { installMissing } from './packages.ts';
import { providePebble } from './pebble.ts';
import { type Program, programPackages, programPath } from './programs.ts';
import { provideStack } from './provide-stack.ts';
import { startRegistry, startRegistryWithAccount } from './registry.ts';
import { registryAccount } from './registry-account.ts';
import { cloneStorage, provideStorage } from './registry-storage.ts';
import type { Say } from './say.ts';
import { provideUbuntuLikeImage } from './ubuntu-like/image.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** The images that also go to the registry that wants an account: two small ones will do. */
const guarded = catalogue.filter(({ architectures }) => architectures.includes('arm64'));

/**
 * Prepares the real parts that integration tests run against, and gives the environment variables
 * that tell tests of them (`variables.ts`). What this machine cannot give is left out, with the
 * reason. `afterwards` stops every daemon and removes what the run leaves.
 */
export async function prepare(say: Say, afterwards: Afterwards): Promise<Record<string, string>> {
  await installMissing(Object.keys(programPackages) as Program[], say);
  const workspace = await openWorkspace();
  afterwards.add(() => workspace.remove());
  const start = async (starting: Promise<Daemon>) => {
    const daemon = await starting;
    afterwards.add(() => daemon.stop());
    return daemon.answer;
  };
  const findings = new Findings(say);
  for (const program of ['skopeo', 'openssl', 'shellcheck', 'dash', 'curl'] as const) {
    await findings.provide(program, () => programPath(program), { quiet: true });
  }
  await findings.provide('engine', () => start(startEngine(workspace)));
  await Promise.all([
    provideRegistries(findings, workspace, say, start),
    provideChroots(findings, workspace.cache, say),
  ]);
  await provideHosts(findings, workspace.cache, say);
  await provideStack(findings, workspace, say, start);
  return findings.variables();
}

/** Without images the registries are there all the same, and empty. */
async function provideRegistries(
  findings: Findings,
  { cache, run }: Workspace,
  say: Say,
  start: (starting: Promise<Daemon>) => Promise<string>,
): Promise<void> {
  const layout = await findings.provide('images', () =>
    provideImages(cache, findDebianMirror, say),
  );
  await findings.provide('registry', async () => {
    const folder = join(run, 'registry');
    await mkdir(folder);
    if (layout) await cloneStorage(await provideStorage(cache, layout), join(folder, 'storage'));
    return await start(startRegistry(folder));
  });
  await findings.provide('registryAuth', async () => {
    const folder = join(run, 'registry-auth');
    await mkdir(folder);
    const address = await start(startRegistryWithAccount(folder));
    if (layout) await pushImages(layout, guarded, address, registryAccount);
    return address;
  });
}

/** One after the other, beside the images: more at once would only wait for the same two cores. */
async function provideChroots(findings: Findings, cache: string, say: Say): Promise<void> {
  for (const suite of ['trixie', 'bookworm'] as const) {
    await findings.provide(suite, () => provideChroot(suite, cache, findDebianMirror, say));
  }
  await findings.provide('browser', () => provideBrowser(cache, findDebianMirror, say));
}

/** What servers under test are made of, and what they are given. */
async function provideHosts(findings: Findings, cache: string, say: Say): Promise<void> {
  await findings.provide('packageCache', () => join(cache, 'packages'), { quiet: true });
  await findings.provide('pebble', () => providePebble(cache, findDebianMirror, say));
  await findings.provide('composePlugin', () => provideComposePlugin(cache, findDebianMirror, say));
  for (const [need, distribution] of [
    ['hostDebian13', 'debian13'],
    ['hostDebian12', 'debian12'],
  ] as const) {
    await findings.provide(need, () =>
      provideHostImage(distribution, cache, findDebianMirror, say),
    );
  }
  await findings.provide('hostUbuntuLike', () =>
    provideUbuntuLikeImage(cache, findDebianMirror, say),
  );
}
