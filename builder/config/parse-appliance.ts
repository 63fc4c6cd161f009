import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { explain, inOrder } from '#explain/explain.ts';
import { validFields } from '#explain/valid-fields.ts';
import type { YamlFile } from '#yaml/parse.ts';
import { judgeAppliance } from './appliance-rules.ts';
import { applianceSchema } from './appliance-schema.ts';

/** The fields of appliance.yaml with all defaults. */
export type ApplianceFields = z.infer<typeof applianceSchema>;

/**
 * Returns the appliance that a file describes.
 * @throws LandfallError CONFIG_INVALID with every problem at once
 */
export function parseAppliance(file: YamlFile): ApplianceFields {
  const parsed = applianceSchema.safeParse(file.value);
  const problems = inOrder([
    ...(parsed.error ? explain(parsed.error, file, applianceSchema) : []),
    ...judgeAppliance(validFields(applianceSchema, file.value)).map(({ at, message, hint }) => ({
      message,
      hint,
      file: file.path,
      ...file.locate(at),
    })),
  ]);
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new LandfallError('CONFIG_INVALID', `${file.path} is not a valid appliance`, {
    hint: 'Fix the problems below. `landfall schema appliance` describes every key.',
    problems,
  });
}
