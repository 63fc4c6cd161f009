import { Command, Option } from 'commander';
import { isRunLocked, tryRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { updateReport } from '../../stages/report/stored-report.ts';
import { updateAlertWarnings } from '../../stages/report/warnings.ts';
import { checkRoute, scheduledCheck } from '../../stages/route/check/check-route.ts';
import { describeChecked, routeWarnings } from '../../stages/route/check/describe.ts';
import { storedRoute } from '../../stages/route/check/state.ts';
import { consoleReporter, serverFacts } from '../command.ts';
import { watchServer } from '../watch.ts';

/** `landfall route test`: checks the destinations of the active route. */
export function routeTestCommand() {
  return new Command('test')
    .description('check every destination of the route; exits with 11 if one fails')
    .option('--json', 'print the results as JSON')
    .addOption(new Option('--scheduled', 'used by the timer').hideHelp())
    .action(({ json, scheduled }) => test(json, scheduled));
}

async function test(json = false, scheduled = false): Promise<void> {
  const facts = await serverFacts();
  if (scheduled) return await testOnSchedule(facts);
  const checked = await checkRoute(facts);
  const state = await storedRoute.read(facts.host);
  const destinations = checked.map(({ subject, failure }) => ({ subject, failure }));
  console.log(json ? JSON.stringify({ destinations, state }, null, 2) : describeChecked(checked));
  if (checked.some(({ failure }) => failure !== undefined)) process.exitCode = 11;
}

/** Records the state and sends alerts. A failed destination is no failure of the unit. */
async function testOnSchedule(facts: Facts): Promise<void> {
  const { host, site } = facts;
  // The locks end with this process. The next check is soon.
  if (!(await tryRunLock(host, 'route-test'))) return;
  await watchServer(host, site);
  // A change of the route checks it too, and a change of the proxy must not meet another change.
  const isFree =
    site.route.mode === 'client'
      ? (await tryRunLock(host, 'changes')) !== undefined
      : !(await isRunLocked(host, 'changes'));
  if (!isFree) return;
  const { checked, state, changes } = await scheduledCheck({ ...facts, report: consoleReporter });
  await updateReport(host, {}, (before) => routeWarnings(before, checked, state, site.language));
  await updateAlertWarnings(host, site);
  for (const { subject, state: now, since } of changes) {
    console.log(`${subject}: ${now}, first failure ${since}`);
  }
}
