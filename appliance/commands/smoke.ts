import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { junitReport } from '../shared/smoke/junit.ts';
import { runSmoke } from '../shared/smoke/run-smoke.ts';
import { smokeTable } from '../shared/smoke/table.ts';
import { serverTarget } from '../stages/smoke/target.ts';
import { exampleText, type JsonFlag, rootCommand, serverFacts } from './command.ts';

interface Flags extends JsonFlag {
  readonly junit?: string;
}

/** `landfall smoke`: runs the end-to-end tests on this server. */
export function smokeCommand(): Command {
  return rootCommand('smoke')
    .description('run the end-to-end tests on this server')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .addHelpText('after', exampleText('sudo landfall smoke --junit results.xml'))
    .action(smoke);
}

async function smoke({ json, junit }: Flags): Promise<void> {
  const results = await runSmoke(await serverTarget(await serverFacts()));
  if (junit) await writeFile(junit, junitReport(results));
  console.log(json ? JSON.stringify(results, null, 2) : smokeTable(results));
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 11;
}
