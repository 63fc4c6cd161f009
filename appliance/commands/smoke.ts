import { writeFile } from 'node:fs/promises';
import { junitReport } from '../shared/smoke/junit.ts';
import { runSmoke } from '../shared/smoke/run-smoke.ts';
import { smokeTable } from '../shared/smoke/table.ts';
import { serverTarget } from '../stages/smoke/target.ts';
import { exampleText, rootCommand, serverFacts } from './command.ts';

/** `landfall smoke`: runs the end-to-end tests on this server. */
export function smokeCommand() {
  return rootCommand('smoke')
    .description('run the end-to-end tests on this server')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .addHelpText('after', exampleText('sudo landfall smoke --junit results.xml'))
    .action(({ json, junit }) => smoke(json, junit));
}

async function smoke(json = false, junit?: string): Promise<void> {
  const results = await runSmoke(await serverTarget(await serverFacts()));
  if (junit) await writeFile(junit, junitReport(results));
  console.log(json ? JSON.stringify(results, null, 2) : smokeTable(results));
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 11;
}
