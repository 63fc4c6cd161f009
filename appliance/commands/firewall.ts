import { Command } from 'commander';
import { formatOpening } from '#contract/site/opening.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { withChangeLock } from '../server/host/lock/run-lock.ts';
import { changeByHand, changeOpening, confirmWithin } from '../stages/firewall/change-opening.ts';
import {
  describeFirewall,
  firewallDifferences,
  listFirewall,
} from '../stages/firewall/differences.ts';
import { firewallFacts } from '../stages/firewall/facts.ts';
import { commandGroup, exampleText, type JsonFlag, printText, serverFacts } from './command.ts';

/** `landfall firewall`: shows, opens and closes ports. */
export function firewallCommand() {
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
      .argument('<port/protocol>', 'the opened port, such as 8443/tcp')
      .action(deny),
    new Command('apply').description('apply the settings to both firewalls').action(apply),
  ])
    .description('show, open and close ports, in UFW and for containers')
    .addHelpText('after', exampleText('sudo landfall firewall allow 8443/tcp'));
}

async function list({ json }: JsonFlag): Promise<void> {
  const { host, site } = await serverFacts();
  const facts = await firewallFacts(host, site);
  const found = listFirewall(facts, await firewallDifferences(host, facts));
  console.log(json ? JSON.stringify(found, null, 2) : describeFirewall(found));
}

async function allow(text: string): Promise<void> {
  const { host, site } = await serverFacts();
  const { unconfirmed, open, isSame } = await changeOpening(host, site, 'allow', text);
  if (isSame) {
    const list = open.map(formatOpening).join(', ');
    console.log(
      inLanguage({
        en: `${list} is open already; nothing was changed.`,
        zh: `${list} 已经开放，没有更改。`,
      }),
    );
    return;
  }
  const clients = open.flatMap(({ from }) => from ?? []);
  // The site opens an engine node's port for some clients.
  const list = clients.join(', ');
  const done = {
    en: `${text} is open${list === '' ? '' : ` for ${list} only`}, in UFW and for containers.`,
    zh: `${text} 已${list === '' ? '' : `仅对 ${list} `}开放，UFW 和容器都已生效。`,
  };
  print(done, unconfirmed);
}

async function deny(text: string): Promise<void> {
  const { host, site } = await serverFacts();
  const { unconfirmed, open } = await changeOpening(host, site, 'deny', text);
  const rest = open.map(formatOpening).join(', ');
  const done =
    rest === ''
      ? { en: `${text} is closed.`, zh: `${text} 已关闭。` }
      : { en: `Still open for ${text}: ${rest}.`, zh: `${text} 仍开放：${rest}。` };
  print(done, unconfirmed);
}

async function apply(): Promise<void> {
  const { host, site } = await serverFacts();
  const unconfirmed = await withChangeLock(host, async () => {
    return await changeByHand(host, { facts: await firewallFacts(host, site) });
  });
  const done = { en: 'Both firewalls match their settings.', zh: '两个防火墙都与设置一致。' };
  print(done, unconfirmed);
}

/** Prints the result. A change that closes ports must be confirmed from a new login. */
function print(done: Text, unconfirmed: boolean): void {
  const minutes = confirmWithin / 60;
  const confirm = {
    en: ` Log in again in another window and run: sudo landfall confirm
Otherwise the change is undone in ${minutes} minutes.`,
    zh: `请在另一个窗口重新登录，并运行：sudo landfall confirm
否则更改会在 ${minutes} 分钟后撤销。`,
  };
  printText(`${inLanguage(done)}${unconfirmed ? inLanguage(confirm) : ''}`);
}
