import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const reference = fileURLToPath(new URL('../../appliance/appliance.yaml', import.meta.url));

/** The text of appliance.yaml to begin with: the reference appliance, its schema found beside it. */
export async function applianceTemplate(): Promise<string> {
  const text = await readFile(reference, 'utf8');
  return text.replace(/\$schema=\S+/, '$schema=./.landfall/appliance.schema.json');
}

/** The lock of the reference appliance, so that a first build asks no registry. */
export async function lockTemplate(): Promise<string> {
  return readFile(reference.replace(/\.yaml$/, '.lock.yaml'), 'utf8');
}
