import { existsSync } from 'node:fs';
import type { Afterwards } from './afterwards.ts';
import { provideComposePlugin } from './compose-plugin.ts';
import type { Daemon } from './daemon.ts';
import { findDebianMirror } from './debian-mirror.ts';
import { startEngine } from './engine.ts';
import { Findings } from './findings.ts';
import { installMissing } from './packages.ts';
import { provideStack } from './provide-stack.ts';
import type { Say } from './say.ts';
import { openWorkspace } from './workspace.ts';

const usualSocket = '/var/run/docker.sock';

/**
 * Prepares what real images are tested with: the engine of the person who has them, Compose, and
 * stand-ins for the components that were not given.
 */
export async function prepareUpstream(
  say: Say,
  afterwards: Afterwards,
): Promise<Record<string, string>> {
  const socket = personsEngine(process.env);
  const programs = ['docker-registry', 'htpasswd'] as const;
  await installMissing(socket ? programs : [...programs, 'dockerd', 'containerd'], say);
  const workspace = await openWorkspace();
  afterwards.add(() => workspace.remove());
  const start = async (starting: Promise<Daemon>) => {
    const daemon = await starting;
    afterwards.add(() => daemon.stop());
    return daemon.answer;
  };
  const findings = new Findings(say);
  await findings.provide('engine', () => socket ?? start(startEngine(workspace)));
  await findings.provide('composePlugin', () =>
    provideComposePlugin(workspace.cache, findDebianMirror, say),
  );
  await provideStack(findings, workspace, say, start);
  return findings.variables();
}

/** The socket of the engine that `docker` would use here; nothing where there is none. */
function personsEngine({ DOCKER_HOST }: NodeJS.ProcessEnv): string | undefined {
  const named = /^unix:\/\/(.+)$/.exec(DOCKER_HOST ?? '')?.[1];
  return named ?? (existsSync(usualSocket) ? usualSocket : undefined);
}
