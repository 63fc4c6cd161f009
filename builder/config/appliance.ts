import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { judgeAppliance } from './appliance-rules.ts';
import { applianceSchema } from './appliance-schema.ts';
import { explain, inOrder } from './explain.ts';
import { validParts } from './valid-parts.ts';
import { readYaml } from './yaml/read.ts';

/** An appliance with every default filled in. `compose` is an absolute path. */
export type Appliance = z.infer<typeof applianceSchema> & { readonly compose: string };

/** The stack that Landfall ships. */
export const ownCompose = fileURLToPath(new URL('../../compose', import.meta.url));

/**
 * Reads appliance.yaml.
 * @throws LandfallError CONFIG_INVALID with every problem at once, CONFIG_… for broken YAML
 */
export async function readAppliance(path: string): Promise<Appliance> {
  const file = await readYaml(path);
  const parsed = applianceSchema.safeParse(file.value);
  const problems = inOrder([
    ...(parsed.error ? explain(parsed.error, file, applianceSchema) : []),
    ...judgeAppliance(validParts(applianceSchema, file.value), path).map(
      ({ at, message, hint }) => ({ message, hint, file: path, ...file.locate(at) }),
    ),
  ]);
  if (!parsed.success || problems.length > 0) {
    throw new LandfallError('CONFIG_INVALID', `${path} is not a valid appliance`, {
      hint: 'Mend the places below. `landfall schema appliance` says what every key means.',
      problems,
    });
  }
  const { compose } = parsed.data;
  const folder = compose === undefined ? ownCompose : resolve(dirname(path), compose);
  return { ...parsed.data, compose: folder };
}
