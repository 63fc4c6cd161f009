import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { junitReport } from '../shared/smoke/junit.ts';
import { runSmoke } from '../shared/smoke/run-smoke.ts';
import { smokeTable } from '../shared/smoke/table.ts';
import { serverTarget } from '../smoke/target.ts';
import type { JsonFlag } from './json-flag.ts';
import { rootCommand } from './root-command.ts';
import { serverFacts } from './server-facts.ts';

interface Flags extends JsonFlag {
  readonly junit?: string;
}

const example = `
Example:
  sudo landfall smoke --junit results.xml
`;

/** `landfall smoke`: runs the end-to-end tests on this server. */
export function smokeCommand(): Command {
  return rootCommand('smoke')
    .description('run the end-to-end tests on this server')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .addHelpText('after', example)
    .action(smoke);
}

async function smoke({ json, junit }: Flags): Promise<void> {
  const results = await runSmoke(await serverTarget(await serverFacts()));
  if (junit) await writeFile(junit, junitReport(results));
  console.log(json ? JSON.stringify(results, null, 2) : smokeTable(results));
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 11;
}
