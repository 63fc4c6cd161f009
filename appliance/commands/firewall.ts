import { formatOpening } from '#contract/site/opening.ts';
import { changeByHand, changeOpening, confirmWithin } from '../firewall/change-opening.ts';
import { firewallDifferences } from '../firewall/differences.ts';
import { firewallFacts } from '../firewall/facts.ts';
import { describeFirewall, listFirewall } from '../firewall/list.ts';
import type { Facts } from '../load-facts.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';
import { readNamedCall } from './read-named-call.ts';
import { type Action, runAction } from './run-action.ts';

export const firewallActions = {
  list,
  allow,
  deny,
  remove: deny,
  apply,
} as const satisfies Readonly<Record<string, Action>>;

const port = { noun: 'port', example: '8443/tcp' };

export const firewallCommand: Command = {
  summary: 'which ports answer from outside, in UFW and before Docker',
  usage: 'list [--json] | allow PORT/PROTOCOL | deny PORT/PROTOCOL | apply',
  example: 'sudo landfall firewall allow 8443/tcp',
  root: true,
  run: (args) => runAction('firewall', firewallActions, 'list', args),
};

async function list({ host, site }: Facts, args: readonly string[]): Promise<void> {
  const { json } = readFlags('firewall list', args, ['json']);
  const facts = await firewallFacts(host, site);
  const found = listFirewall(facts, await firewallDifferences(host, facts));
  console.log(json ? JSON.stringify(found, null, 2) : describeFirewall(found));
}

async function allow({ host, site }: Facts, args: readonly string[]): Promise<void> {
  const { name: text } = readNamedCall('firewall allow', args, {}, port);
  const { unconfirmed } = await changeOpening(host, site, 'allow', text);
  tell(`${text} is open, in UFW and before Docker.`, unconfirmed);
}

async function deny({ host, site }: Facts, args: readonly string[]): Promise<void> {
  const { name: text } = readNamedCall('firewall deny', args, {}, port);
  const { unconfirmed, open } = await changeOpening(host, site, 'deny', text);
  const rest = open.map(formatOpening).join(', ');
  tell(rest === '' ? `${text} is closed.` : `Of ${text} still open: ${rest}.`, unconfirmed);
}

async function apply({ host, site }: Facts, args: readonly string[]): Promise<void> {
  readFlags('firewall apply', args, []);
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
