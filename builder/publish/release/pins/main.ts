import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exitCodeOf } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { HttpClient } from '#http/client.ts';
import { bundleProgram, bundleScripts } from '../../../bundle/archive/program.ts';
import { readAppliance } from '../../../inputs/config/appliance.ts';
import { checkAdvisories } from './check-advisories.ts';
import { checkPins } from './check-pins.ts';
import { pinsOf, pinsOfPackages } from './pins.ts';

/*
 * `npm run pins`: compares the versions that the appliance names, and the npm packages in its programs, with
 * what is published in the same line and with npm's advisories. Exits with 20 if one is behind or vulnerable;
 * a package that is only behind does not count. A registry that does not answer is named, and exits with 0.
 */
const behindExit = 20;

try {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      config: {
        type: 'string',
        default: fileURLToPath(new URL('../../../inputs/appliance.yaml', import.meta.url)),
      },
    },
  });
  await using http = new HttpClient({ env: process.env });
  const { npm_config_registry: npm = 'https://registry.npmjs.org', GOPROXY = '' } = process.env;
  const [go = ''] = GOPROXY.split(/[,|]/).filter((url) => url.startsWith('http'));
  const programs = [await bundleProgram(), ...(await bundleScripts(['relay'])).values()];
  const pins = [
    ...pinsOf(await readAppliance(values.config)),
    ...pinsOfPackages(programs.flatMap(({ packages }) => packages)),
  ];
  const sources = {
    http,
    npm: npm.replace(/\/+$/, ''),
    go: go.replace(/\/+$/, '') || 'https://proxy.golang.org',
    timeout: 30_000,
  };
  const results = [...(await checkPins(pins, sources)), ...(await checkAdvisories(pins, sources))];
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else {
    for (const { name, pinned, newest = '-', state, host = '-', reason } of results) {
      console.log([state, name, pinned, newest, host, reason ?? ''].join('\t').trimEnd());
    }
  }
  if (results.some(({ blocks }) => blocks)) process.exitCode = behindExit;
} catch (error) {
  console.error(formatError(error));
  process.exitCode = exitCodeOf(error);
}
