import { parseModelName } from '#contract/model-name.ts';
import { modelPresence } from '../host/model-presence.ts';
import { formatBytes } from '../progress/amount.ts';
import type { Context } from '../stage/stage.ts';
import type { Report } from './report.ts';

/** Which models of the release are here. @throws LandfallError COMMAND_FAILED */
export async function modelsOf({
  host,
  site,
  release,
}: Pick<Context, 'host' | 'site' | 'release'>): Promise<Report['models']> {
  const named = release.models.flatMap(({ name, manifest, size }) => {
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
export function modelLines({ models }: Pick<Report, 'models'>): string[] {
  return models.map(({ name, size, present }) => {
    const known = size === null ? name : `${name}  ${formatBytes(size)}`;
    return present ? known : `${known}  missing; go on with: ${pullCommand(name)}`;
  });
}

/** What fetches a model, or goes on where that stopped. */
export function pullCommand(name: string): string {
  return `sudo landfall models pull ${name}`;
}
