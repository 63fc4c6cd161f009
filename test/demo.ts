import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { demonstrateRealImages } from './host/whole-stack/real-images.ts';
import { demoVariable } from './host/whole-stack/stay.ts';
import { Afterwards, runOnSignals } from './setup/afterwards.ts';
import { prepare } from './setup/prepare.ts';
import { runFolder } from './setup/workspace.ts';
import { needsOf } from './suites/needs.ts';
import { printResult } from './summary/announce.ts';
import { demoReporterVariable, runVitest } from './summary/run-vitest.ts';
import type { Outcome } from './summary/tally.ts';

const usage = `npm run demo                     tests the whole stack on a fresh server, with stand-ins
npm run demo -- --images real    uses the images of the public registries instead
npm run demo -- --stay           also keeps the server running until Ctrl-C`;

const files = ['test/host/whole-stack/whole-stack.test.ts'];
const afterwards = new Afterwards();
runOnSignals(afterwards);

const options = readOptions();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else if (options.images === 'real') {
  await demonstrateReal(options.stay).finally(() => afterwards.run());
} else {
  printResult([await demonstrate(options.stay).finally(() => afterwards.run())]);
}

function readOptions() {
  const options = {
    stay: { type: 'boolean', default: false },
    images: { type: 'string', default: 'stand-ins' },
  } as const;
  try {
    const { values } = parseArgs({ options });
    return ['real', 'stand-ins'].includes(values.images) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** The tests of the whole stack, shown as the behaviour that they prove. */
async function demonstrate(stay: boolean): Promise<Outcome> {
  console.log('Ollama, the chat UI and the front-ends are stand-ins in this demo;');
  console.log('nginx, tinyproxy, the relay, Docker and Debian are real.');
  console.log('\n== prepare: real dependencies, most of them cached after the first run');
  const variables = await prepare(needsOf(files, ['debian13']), afterwards);
  console.log('\n== the whole stack on a fresh server; this takes several minutes');
  // A run with --stay ends on a signal; this folder must still be removed.
  const temporary = join(runFolder(), 'tmp');
  await mkdir(temporary);
  const how = stay ? 'stay' : 'show';
  const shown = { [demoVariable]: how, [demoReporterVariable]: 'yes', TMPDIR: temporary };
  return await runVitest('host-debian13', files, { ...variables, ...shown }, afterwards);
}

async function demonstrateReal(stay: boolean): Promise<void> {
  console.log('All programs are real in this demo; only the models are tiny ones without meaning.');
  try {
    process.exitCode = (await demonstrateRealImages(stay, afterwards)) ? 0 : 1;
  } catch (error) {
    console.error(`\n${formatError(builderError(error))}`);
    process.exitCode = 1;
  }
}

/** Returns the error of the builder, which prints it as JSON; any other error unchanged. */
function builderError(error: unknown): unknown {
  const { stdout = '' } = error as { readonly stdout?: string };
  if (!stdout.startsWith('{"error":')) return error;
  const { code, message, problems } = JSON.parse(stdout).error;
  const hint = 'Run the demo where the registries can be reached, or set HTTPS_PROXY.';
  return new LandfallError(code, message, { problems, hint });
}
