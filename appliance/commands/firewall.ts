import { changeFirewall } from '../firewall/apply.ts';
import { changeOpening, confirmWithin } from '../firewall/change-opening.ts';
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
  await changeOpening(host, site, 'allow', text);
  console.log(`${text} is open, in UFW and before Docker.`);
}

async function deny({ host, site }: Facts, args: readonly string[]): Promise<void> {
  const { name: text } = readNamedCall('firewall deny', args, {}, port);
  await changeOpening(host, site, 'deny', text);
  console.log(`${text} is closed. Log in anew, in another window, and run: sudo landfall confirm
Without that the change undoes itself in ${confirmWithin / 60} minutes.`);
}

async function apply({ host, site }: Facts, args: readonly string[]): Promise<void> {
  readFlags('firewall apply', args, []);
  await changeFirewall(host, { facts: await firewallFacts(host, site) });
  console.log('Both firewalls are as their settings say.');
}
