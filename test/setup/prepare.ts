import { catalogue } from '../images/catalogue.ts';
import { pushImages } from '../images/push.ts';
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

/** What integration tests find, and the way to end it. */
export interface Preparation {
  /** Environment variables as `variables.ts` names them. */
  readonly variables: Record<string, string>;
  /** Stops every daemon and removes what the run leaves. May be called more than once. */
  stop(): Promise<void>;
}

/** The images that also go to the registry that wants an account: two small ones will do. */
const guarded = catalogue.filter(({ architectures }) => architectures.includes('arm64'));

/**
 * Prepares the real parts that integration tests run against. What this machine cannot give is
 * left out, with the reason; only what is broken throws.
 */
export async function prepare(say: Say): Promise<Preparation> {
  await installMissing(Object.keys(programPackages) as Program[], say);
  const workspace = await openWorkspace();
  const daemons: Daemon[] = [];
  const stop = async () => {
    for (const daemon of daemons.splice(0).reverse()) await daemon.stop();
    await workspace.remove();
  };
  const start = async (starting: Promise<Daemon>) => {
    const daemon = await starting;
    daemons.push(daemon);
    return daemon.answer;
  };
  const findings = new Findings(say);
  const { cache } = workspace;
  for (const program of ['skopeo', 'openssl', 'shellcheck', 'dash', 'curl'] as const) {
    await findings.provide(program, () => programPath(program), { quiet: true });
  }
  try {
    await findings.provide('engine', () => start(startEngine(workspace)));
    const registry = await findings.provide('registry', () => start(startRegistry(workspace)));
    const registryAuth = await findings.provide('registryAuth', () =>
      start(startRegistryWithAccount(workspace)),
    );
    await findings.provide('trixie', () => provideChroot('trixie', cache, findDebianMirror));
    await findings.provide('bookworm', () => provideChroot('bookworm', cache, findDebianMirror));
    await findings.provide('images', async () => {
      const layout = await provideImages(cache, findDebianMirror);
      if (registry) await pushImages(layout, catalogue, registry);
      if (registryAuth) await pushImages(layout, guarded, registryAuth, registryAccount);
      return layout;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { variables: findings.variables(), stop };
}
