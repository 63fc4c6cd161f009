import { parseModelName } from '#contract/bundle/model-name.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { modelPresence } from '../ollama/model-presence.ts';
import { localModels } from '../stack/local-models.ts';
import type { Context } from '../stage/stage.ts';
import type { Report } from './report.ts';

/** Returns the configured models and whether each is present. @throws LandfallError COMMAND_FAILED */
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

/** Returns one line per model: its size, and the download command for a missing one. */
export function modelLines({
  models,
  hostedOnly,
  context,
}: Pick<Report, 'models' | 'hostedOnly' | 'context'>): string[] {
  const lines = models.map(({ name, size, present }) => {
    const known = size === null ? name : `${name}  ${formatBytes(size)}`;
    return present ? known : `${known}  missing; to download it, run: ${pullCommand(name)}`;
  });
  const length =
    context === null || lines.length === 0 ? [] : [`${context} tokens in a conversation`];
  return [...(hostedOnly === null ? [] : [hostedOnly]), ...lines, ...length];
}

/** Returns the command that downloads a model or resumes the download. */
export function pullCommand(name: string): string {
  return `sudo landfall models pull ${name}`;
}
