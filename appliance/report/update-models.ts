import { missingModelWarning } from '../host/model-warning.ts';
import type { Context } from '../stage/stage.ts';
import { modelsOf } from './models.ts';
import { updateReport } from './update-report.ts';

/**
 * Writes down that a person fetched or removed a model, and takes back the warnings of those that
 * are here now.
 * @throws LandfallError COMMAND_FAILED
 */
export async function updateModels(
  context: Pick<Context, 'host' | 'site' | 'release' | 'server'>,
): Promise<void> {
  const models = await modelsOf(context);
  const begins = models
    .filter(({ present }) => present)
    .map(({ name }) => missingModelWarning(name));
  await updateReport(context.host, { models }, (before) =>
    before.filter((warning) => !begins.some((begin) => warning.startsWith(begin))),
  );
}
