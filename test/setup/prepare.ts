import { catalogue } from '../images/catalogue.ts';
import { pushImages } from '../images/push.ts';
import type { Afterwards } from './afterwards.ts';
import { provideChroot } from './chroot.ts';
import type { Daemon } from './daemon.ts';
import { findDebianMirror } from './debian-mirror.ts';
import { startEngine } from './engine.ts';
import { Findings } from './findings.ts';
import { provideImages } from './images.ts';
import { installMissing } from './packages.ts';
import { type Program, programPackages, programPath } from './programs.ts';
import { startRegistry, startRegistryWithAccount } from './registry.ts';
import { registryAccount } from './registry-account.ts';
import type { Say } from './say.ts';
import { openWorkspace } from './workspace.ts';

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
  const registry = await findings.provide('registry', () => start(startRegistry(workspace)));
  const registryAuth = await findings.provide('registryAuth', () =>
    start(startRegistryWithAccount(workspace)),
  );
  await Promise.all([
    findings.provide('images', async () => {
      const layout = await provideImages(workspace.cache, findDebianMirror, say);
      if (registry) await pushImages(layout, catalogue, registry);
      if (registryAuth) await pushImages(layout, guarded, registryAuth, registryAccount);
      return layout;
    }),
    provideChroots(findings, workspace.cache, say),
  ]);
  return findings.variables();
}

/** One after the other, beside the images: more at once would only wait for the same two cores. */
async function provideChroots(findings: Findings, cache: string, say: Say): Promise<void> {
  for (const suite of ['trixie', 'bookworm'] as const) {
    await findings.provide(suite, () => provideChroot(suite, cache, findDebianMirror, say));
  }
}
