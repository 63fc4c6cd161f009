import { LandfallError } from '#contract/errors.ts';
import { changeFirewall, changeFirewallUnderUndo } from '../firewall/apply.ts';
import { firewallDifferences } from '../firewall/differences.ts';
import { editSettings, readOpening } from '../firewall/edit-settings.ts';
import { firewallFacts } from '../firewall/facts.ts';
import { describeFirewall, listFirewall } from '../firewall/list.ts';
import { readSettings } from '../firewall/settings.ts';
import { runCommand } from '../host/command.ts';
import { Host } from '../host/host.ts';
import { type Facts, loadFacts } from '../load-facts.ts';
import type { Command } from './command.ts';
import { releaseFolder } from './release-folder.ts';

/** For a person to log in anew and confirm. Seconds. */
const undoAfter = 300;

const actions: Readonly<Record<string, (facts: Facts, args: readonly string[]) => Promise<void>>> =
  {
    list,
    allow: (facts, args) => change(facts, 'allow', args),
    deny: (facts, args) => change(facts, 'deny', args),
    remove: (facts, args) => change(facts, 'deny', args),
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

/** What opens is there at once; what closes is undone unless a new login confirms it. */
async function change(
  { host, site }: Facts,
  kind: 'allow' | 'deny',
  [text]: readonly string[],
): Promise<void> {
  const opening = readOpening(text);
  const before = await readSettings(host);
  const { ssh } = await firewallFacts(host, site, before);
  const settings = editSettings(before, { kind, opening }, { site, ssh });
  const wanted = { facts: await firewallFacts(host, site, settings), settings };
  if (kind === 'allow') {
    await changeFirewall(host, wanted);
    console.log(`${text} is open, in UFW and before Docker.`);
    return;
  }
  await changeFirewallUnderUndo(host, { ...wanted, closes: opening }, undoAfter);
  console.log(`${text} is closed. Log in anew, in another window, and run: sudo landfall confirm
Without that the change undoes itself in ${undoAfter / 60} minutes.`);
}
