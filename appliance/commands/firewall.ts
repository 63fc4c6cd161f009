import { Command } from 'commander';
import { formatOpening } from '#contract/site/opening.ts';
import { changeByHand, changeOpening, confirmWithin } from '../firewall/change-opening.ts';
import { firewallDifferences } from '../firewall/differences.ts';
import { firewallFacts } from '../firewall/facts.ts';
import { describeFirewall, listFirewall } from '../firewall/list.ts';
import { commandGroup } from './command-group.ts';
import type { JsonFlag } from './json-flag.ts';
import { serverFacts } from './server-facts.ts';

const example = `
Example:
  sudo landfall firewall allow 8443/tcp
`;

/** `landfall firewall`: which ports answer from outside. */
export function firewallCommand(): Command {
  const listCommand = new Command('list')
    .description('show which ports are open (default)')
    .option('--json', 'print them as JSON')
    .action(list);
  return commandGroup('firewall', listCommand, [
    new Command('allow')
      .description('open a port')
      .argument('<port/protocol>', 'such as 8443/tcp')
      .action(allow),
    new Command('deny')
      .alias('remove')
      .description('close a port that was opened')
      .argument('<port/protocol>', 'as it was opened, such as 8443/tcp')
      .action(deny),
    new Command('apply').description('make both firewalls match their settings').action(apply),
  ])
    .description('which ports answer from outside, in UFW and before Docker')
    .addHelpText('after', example);
}

async function list({ json }: JsonFlag): Promise<void> {
  const { host, site } = await serverFacts();
  const facts = await firewallFacts(host, site);
  const found = listFirewall(facts, await firewallDifferences(host, facts));
  console.log(json ? JSON.stringify(found, null, 2) : describeFirewall(found));
}

async function allow(text: string): Promise<void> {
  const { host, site } = await serverFacts();
  const { unconfirmed } = await changeOpening(host, site, 'allow', text);
  tell(`${text} is open, in UFW and before Docker.`, unconfirmed);
}

async function deny(text: string): Promise<void> {
  const { host, site } = await serverFacts();
  const { unconfirmed, open } = await changeOpening(host, site, 'deny', text);
  const rest = open.map(formatOpening).join(', ');
  tell(rest === '' ? `${text} is closed.` : `Of ${text} still open: ${rest}.`, unconfirmed);
}

async function apply(): Promise<void> {
  const { host, site } = await serverFacts();
  const facts = await firewallFacts(host, site);
  tell('Both firewalls are as their settings say.', await changeByHand(host, { facts }));
}

/** What closes anything has to be confirmed by somebody who can still come in. */
function tell(line: string, unconfirmed: boolean): void {
  const minutes = confirmWithin / 60;
  const confirm = `Log in anew, in another window, and run: sudo landfall confirm
Without that the change undoes itself in ${minutes} minutes.`;
  console.log(unconfirmed ? `${line} ${confirm}` : line);
}
