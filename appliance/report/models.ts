import { parseModelName } from '#contract/model-name.ts';
import { engineStore, hasModel } from '../host/engine-store.ts';
import { formatBytes } from '../progress/amount.ts';
import type { Context } from '../stage/stage.ts';
import type { Report } from './report.ts';

/** Which models of the release are here. @throws LandfallError COMMAND_FAILED */
export async function modelsOf({
  host,
  release: { models },
}: Pick<Context, 'host' | 'release'>): Promise<Report['models']> {
  if (models.length === 0) return [];
  const store = await engineStore(host);
  return await Promise.all(
    models.map(async ({ name, manifest, size }) => {
      const parsed = parseModelName(name);
      return { name, size, present: !!parsed && (await hasModel(host, store, parsed, manifest)) };
    }),
  );
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
