import type { Context } from '../../server/stage/stage.ts';
import { lacksModel } from '../models/public.ts';
import { modelsOf } from './models.ts';
import { updateReport } from './stored-report.ts';

/**
 * Updates the models in the report after one was downloaded or deleted, and removes the warnings for
 * models that are present now.
 * @throws LandfallError COMMAND_FAILED
 */
export async function updateModels(context: Omit<Context, 'report'>): Promise<void> {
  const models = await modelsOf(context);
  const present = new Set(models.filter((model) => model.present).map(({ name }) => name));
  const lacks = await lacksModel(context);
  await updateReport(context.host, { models, lacksModel: lacks }, (before) =>
    before.filter(({ kind, subject }) => kind !== 'model-missing' || !present.has(subject)),
  );
}
