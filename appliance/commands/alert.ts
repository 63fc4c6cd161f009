import { Command } from 'commander';
import {
  describeResults,
  describeTargets,
  targetStates,
  testTargets,
} from '../server/alerts/describe-alerts.ts';
import { updateAlertWarnings } from '../stages/report/warnings.ts';
import { commandGroup, exampleText, type JsonFlag, serverFacts } from './command.ts';

/** `landfall alert`: shows and tests the targets of alerts. */
export function alertCommand() {
  const listCommand = new Command('list')
    .description('show the targets, and the secrets that are missing (default)')
    .option('--json', 'print them as JSON')
    .action(list);
  return commandGroup('alert', listCommand, [
    new Command('test')
      .description('send a test message to every target; exits with 11 if one fails')
      .option('--json', 'print the results as JSON')
      .action(test),
  ])
    .description('show and test the targets of alerts')
    .addHelpText('after', exampleText('sudo landfall alert test'));
}

async function list({ json }: JsonFlag): Promise<void> {
  const { host, site } = await serverFacts();
  const states = await targetStates(host, site);
  console.log(json ? JSON.stringify({ targets: states }, null, 2) : describeTargets(states));
}

async function test({ json }: JsonFlag): Promise<void> {
  const { host, site } = await serverFacts();
  const results = await testTargets(host, site);
  await updateAlertWarnings(host, site);
  console.log(json ? JSON.stringify({ targets: results }, null, 2) : describeResults(results));
  if (results.some(({ sent }) => !sent)) process.exitCode = 11;
}
