import { type PreviewPorts, preferredPorts } from '#preview/ports.ts';
import { completeSecrets } from '#preview/secrets.ts';
import { choosePorts } from './ports.ts';
import type { Preview } from './preview.ts';
import { type PreviewState, portsOfOthers } from './state.ts';

/**
 * Chooses the ports and generates the secrets of a preview, and records both before Docker creates
 * anything. Keeps those of an existing preview.
 * @param port the port of the gateway that the user requires
 * @throws LandfallError PORT_TAKEN, FILE_ACCESS, DISK_FULL
 */
export async function prepareState(
  { name, project, cwd, env, docker, folder, reader, site, reporter }: Preview,
  port: number | undefined,
): Promise<PreviewState> {
  const before = await folder.readState();
  const label = `label=com.docker.compose.project=${project}`;
  const isRunning = (await docker.list('ps', '--quiet', '--filter', label)).length > 0;
  const known: Partial<PreviewPorts> = before?.ports ?? {};
  const chosen = await choosePorts(
    { ...preferredPorts(site), ...known },
    isRunning ? known : {},
    port,
    () => portsOfOthers(env, name),
  );
  const state: PreviewState = {
    version: reader.release.version,
    folder: cwd,
    ports: chosen.ports,
    pulled: before?.pulled ?? [],
    secrets: completeSecrets(site, before?.secrets ?? {}),
    started: before?.started ?? false,
  };
  try {
    await folder.writeState(state);
  } finally {
    await chosen.release();
  }
  for (const { name: which, taken } of chosen.moved) {
    reporter.note(`port ${taken} is in use: ${which} has port ${chosen.ports[which]}`);
  }
  return state;
}
