import { fileURLToPath } from 'node:url';
import { readAppliance } from '../../inputs/config/appliance.ts';
import type { Redistribution } from '../../inputs/licenses/license.ts';
import { type LockedModel, unresolved } from '../../inputs/lock/lock.ts';
import { type Work, worksOf } from './works.ts';

const reference = fileURLToPath(new URL('../../inputs/appliance.yaml', import.meta.url));

const meanings: Record<Redistribution, string> = {
  notice: 'yes',
  unmodified: 'yes, unmodified',
  source: 'yes, with an offer of the source',
  declared: 'declared',
};

/** Returns the works of the reference appliance with their versions and licenses. */
export async function referenceWorks(): Promise<Work[]> {
  const appliance = await readAppliance(reference);
  const components = Object.entries(appliance.components).map(([name, component]) => {
    const { image, optional, program } = component;
    return { name, optional, program, locked: { image, index: unresolved, platforms: {} } };
  });
  const models = appliance.models.map(({ name, role = 'chat' }) => {
    const locked: LockedModel = { manifest: unresolved, size: unresolved };
    return { name, role, locked, carried: true };
  });
  return worksOf(appliance, { kind: 'full', components, models });
}

/**
 * Returns a Markdown table of the works of the reference appliance.
 * @throws Error when the license of a work is not known
 */
export async function licenseTable(): Promise<string> {
  const rows = (await referenceWorks()).map(({ name, version, license, source }) => {
    if (!license) throw new Error(`the license of ${name} is not known`);
    const { product, spdx, url, redistribution, condition } = license;
    const licensed = url === undefined ? spdx : `[${spdx}](${url})`;
    const cells = [`\`${name}\``, product, version ?? '', licensed, `<${source}>`];
    return `| ${[...cells, meanings[redistribution], condition].join(' | ')} |`;
  });
  return [
    '| name | work | version | license | source | may be in a public bundle | note |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
