import { jsonSchemaOf } from '../config/json-schemas.ts';
import type { SiteAnswers } from './answers.ts';
import { applianceTemplate, lockTemplate } from './appliance-template.ts';
import type { NewFile } from './write-folder.ts';

/**
 * Returns the files that describe a release of the user, with what the site requires.
 * @throws LandfallError LOCK_INVALID
 */
export async function applianceFiles({ route }: SiteAnswers): Promise<NewFile[]> {
  return [
    { name: 'appliance.yaml', text: await applianceTemplate({ hasClient: route === 'client' }) },
    { name: 'appliance.lock.yaml', text: await lockTemplate() },
    { name: '.landfall/appliance.schema.json', text: jsonSchemaOf('appliance') },
  ];
}

/** Returns site.yaml and its schema. */
export function siteFiles(text: string): NewFile[] {
  return [
    { name: 'site.yaml', text, private: true },
    { name: '.landfall/site.schema.json', text: jsonSchemaOf('site') },
  ];
}
