import { LandfallError } from '#contract/errors.ts';
import { changeFirewall } from '../firewall/apply.ts';
import { changeOpening, confirmWithin } from '../firewall/change-opening.ts';
import { firewallDifferences } from '../firewall/differences.ts';
import { firewallFacts } from '../firewall/facts.ts';
import { describeFirewall, listFirewall } from '../firewall/list.ts';
import { runCommand } from '../host/command.ts';
import { Host } from '../host/host.ts';
import { type Facts, loadFacts } from '../load-facts.ts';
import type { Command } from './command.ts';
import { releaseFolder } from './release-folder.ts';

type Action = (facts: Facts, args: readonly string[]) => Promise<void>;

const actions: Readonly<Record<string, Action>> = {
  list,
  allow,
  deny,
  remove: deny,
  apply: async ({ host, site }) => {
    await changeFirewall(host, { facts: await firewallFacts(host, site) });
    console.log('Both firewalls are as their settings say.');
  },
};

export const firewallCommand: Command = {
  summary: 'which ports answer from outside, in UFW and before Docker',
  usage: 'list [--json] | allow PORT/PROTOCOL | deny PORT/PROTOCOL | apply',
  root: true,
  run: async ([action = 'list', ...args]) => {
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!run) {
      throw new LandfallError('USAGE', `landfall firewall does not know ${action}`, {
        hint: `It knows ${Object.keys(actions).join(', ')}.`,
      });
    }
    await run(await loadFacts(new Host('/', runCommand), await releaseFolder()), args);
  },
};

async function list({ host, site }: Facts, args: readonly string[]): Promise<void> {
  const facts = await firewallFacts(host, site);
  const found = listFirewall(facts, await firewallDifferences(host, facts));
  console.log(args.includes('--json') ? JSON.stringify(found, null, 2) : describeFirewall(found));
}

async function allow({ host, site }: Facts, [text]: readonly string[]): Promise<void> {
  await changeOpening(host, site, 'allow', text);
  console.log(`${text} is open, in UFW and before Docker.`);
}

async function deny({ host, site }: Facts, [text]: readonly string[]): Promise<void> {
  await changeOpening(host, site, 'deny', text);
  console.log(`${text} is closed. Log in anew, in another window, and run: sudo landfall confirm
Without that the change undoes itself in ${confirmWithin / 60} minutes.`);
}
