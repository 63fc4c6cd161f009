import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manualPage } from '#cli/manual/page.ts';
import { landfallProgram } from '../../bin/program.ts';
import { licensesOf, prebuiltNames } from '../../bundle/archive/bundled-program.ts';
import { bundleProgram, bundleScripts } from '../../bundle/archive/program.ts';
import { readAppliance } from '../../inputs/config/appliance.ts';
import { buildPage } from '../../page/build-page.ts';
import { bundleCommand } from './bundle-command.ts';
import { packagedReleaseOf } from './release-facts.ts';

/*
 * Runs before `npm pack`: makes plain JavaScript of the command and of the programs that bundles carry,
 * so that the package needs no TypeScript, no esbuild and no library at run time. If the environment
 * describes a published release (release-facts.ts), the package offers that release to its users.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'builder/prebuilt');

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const appliance = await readAppliance(join(root, 'builder/inputs/appliance.yaml'));
const release = packagedReleaseOf(process.env, appliance);
const packages = await bundleCommand(root, folder);
const programs = {
  landfall: await bundleProgram(),
  relay: (await bundleScripts(['relay'])).get('relay'),
};
const contents: Record<string, unknown> = {};
for (const name of Object.values(prebuiltNames)) {
  const program = programs[name];
  if (!program) throw new Error(`${name} was not bundled`);
  await writeFile(join(folder, `${name}.mjs`), program.bytes);
  contents[name] = program.packages;
}
await writeFile(join(folder, 'packages.json'), `${JSON.stringify(contents, null, 2)}\n`);
const { env, stdin, stdout, stderr } = process;
const program = landfallProgram({
  ...{ env, stdin, stdout, stderr, cwd: root, interactive: false, setExitCode: () => {} },
});
await writeFile(join(folder, 'landfall.1'), manualPage(program, 1));
await writeFile(join(folder, 'configurator.html'), await buildPage(release));
await writeFile(join(folder, 'licenses.txt'), licensesOf(packages));
if (release) {
  await writeFile(join(folder, 'release-facts.json'), `${JSON.stringify(release, null, 2)}\n`);
}
