import { parseModelName } from '#contract/bundle/model-name.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { modelPresence } from '../ollama/model-presence.ts';
import { localModels } from '../stack/local-models.ts';
import type { Context } from '../stage/stage.ts';
import type { Report } from './report.ts';

/** Which of the models that this server is to have are here. @throws LandfallError COMMAND_FAILED */
export async function modelsOf({
  host,
  site,
  release,
  server,
}: Pick<Context, 'host' | 'site' | 'release' | 'server'>): Promise<Report['models']> {
  const named = localModels(release, site, server).models.flatMap(({ name, manifest, size }) => {
    const parsed = parseModelName(name);
    return parsed ? [{ shown: { name, size }, sought: { name: parsed, manifest } }] : [];
  });
  const presence = await modelPresence(
    host,
    site,
    named.map(({ sought }) => sought),
  );
  return named.map(({ shown }, index) => ({
    ...shown,
    present: presence[index]?.present === true,
  }));
}

/** One line a model: its size, and for one that is missing the command that goes on. */
export function modelLines({
  models,
  hostedOnly,
}: Pick<Report, 'models' | 'hostedOnly'>): string[] {
  const lines = models.map(({ name, size, present }) => {
    const known = size === null ? name : `${name}  ${formatBytes(size)}`;
    return present ? known : `${known}  missing; go on with: ${pullCommand(name)}`;
  });
  return hostedOnly === null ? lines : [hostedOnly, ...lines];
}

/** What fetches a model, or goes on where that stopped. */
export function pullCommand(name: string): string {
  return `sudo landfall models pull ${name}`;
}
