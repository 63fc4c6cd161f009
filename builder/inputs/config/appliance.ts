import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApplianceFields, parseAppliance } from './parse-appliance.ts';
import { readYaml } from './yaml/read.ts';

/** An appliance with all defaults. `compose` is an absolute path. */
export type Appliance = ApplianceFields & { readonly compose: string };

/** Folder of Landfall's own stack. */
export const ownCompose = fileURLToPath(new URL('../../../compose', import.meta.url));

/**
 * Reads appliance.yaml.
 * @throws LandfallError CONFIG_INVALID with every problem at once, CONFIG_… for broken YAML
 */
export async function readAppliance(path: string): Promise<Appliance> {
  const fields = parseAppliance(await readYaml(path));
  const { compose } = fields;
  const folder = compose === undefined ? ownCompose : resolve(dirname(path), compose);
  return { ...fields, compose: folder };
}
