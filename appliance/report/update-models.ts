import { isDeepStrictEqual } from 'node:util';
import { reportFile } from '#contract/server-paths.ts';
import { writeText } from '../host/files.ts';
import { missingModelWarning } from '../host/model-warning.ts';
import type { Context } from '../stage/stage.ts';
import { modelsOf } from './models.ts';
import { renderReport } from './render-report.ts';
import type { Report } from './report.ts';
import { readReport } from './stage.ts';

/**
 * Writes the report anew after a person fetched or removed a model, and takes back warnings of those
 * that are here now. The rest of it stays as the first boot found it; without a report nothing is done.
 * @throws LandfallError COMMAND_FAILED
 */
export async function updateModels(
  context: Pick<Context, 'host' | 'site' | 'release'>,
): Promise<void> {
  const { host } = context;
  const stored = await readReport(host);
  if (!stored) return;
  const models = await modelsOf(context);
  const report: Report = { ...stored, models, warnings: withoutThose(stored.warnings, models) };
  if (isDeepStrictEqual(report, stored)) return;
  await writeText(host, reportFile.json, `${JSON.stringify(report, null, 2)}\n`);
  await writeText(host, reportFile.text, renderReport(report));
}

function withoutThose(warnings: readonly string[], models: Report['models']): string[] {
  const begins = models
    .filter(({ present }) => present)
    .map(({ name }) => missingModelWarning(name));
  return warnings.filter((warning) => !begins.some((begin) => warning.startsWith(begin)));
}
