import { writeFileSync } from 'node:fs';
import { descriptionsIn } from './descriptions.ts';
import { renderProviders } from './render.ts';

// Arguments: the version of lego, and the folder of its sources (`go mod download -json`).
const [version = '', folder = ''] = process.argv.slice(2);
const target = new URL(
  '../../../appliance/shared/contract/site/certificates/provider-table.ts',
  import.meta.url,
);
writeFileSync(target, renderProviders(version, descriptionsIn(folder)));
