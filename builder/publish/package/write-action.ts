import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleAction } from './bundle-action.ts';

/* `npm run action`: writes the generated files of the GitHub Action, which are committed. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
for (const [path, text] of Object.entries(await bundleAction())) {
  await writeFile(join(root, path), text);
}
