import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import { takeRunLock } from '../host/run-lock.ts';
import { knownSecret, setSecret } from '../secrets/set-secret.ts';
import { stackStage } from '../stack/stage.ts';
import { Journal } from '../stage/journal.ts';
import { runAlone } from '../stage/run-stages.ts';
import { consoleReporter } from './console-reporter.ts';
import { readHidden } from './read-hidden.ts';
import { rootCommand } from './root-command.ts';
import { serverFacts } from './server-facts.ts';

const example = `
Example:
  sudo landfall secret set OPENAI_API_KEY
`;

/** `landfall secret`: takes a key that only the administrator knows. */
export function secretCommand(): Command {
  const set = new Command('set')
    .description('ask for the value of a secret and store it')
    .usage('<name>')
    .argument('[name...]')
    // commander repeats wrong words in its message, and one of them may be the secret.
    .allowUnknownOption()
    .action((words: readonly string[]) => setByHand(nameIn(words)));
  return rootCommand('secret')
    .description('give the server a key that only you know, such as that of a provider')
    .addCommand(set, { isDefault: true })
    .hook('preSubcommand', ({ args: [action] }) => {
      if (action !== 'set') throw wrongWords();
    })
    .addHelpText('after', example);
}

async function setByHand(wanted: string | undefined): Promise<void> {
  const facts = await serverFacts();
  const { host } = facts;
  const name = knownSecret(facts.site, wanted);
  const isInstalled = (await readText(host, installedMark)) !== undefined;
  const value = await readHidden(`Value of ${name} (it is not shown): `);
  // A first boot takes the value as it goes on. Otherwise nothing else may change the stack now.
  if (isInstalled) await takeRunLock(host, 'first-boot');
  await setSecret(host, name, value);
  if (!isInstalled) {
    console.log(`${name} is set. The first boot goes on with it.`);
    return;
  }
  await runAlone(stackStage, { ...facts, report: consoleReporter }, new Journal(host));
  console.log(`${name} is set, and what uses it has started again.`);
}

function nameIn([name, ...rest]: readonly string[]): string | undefined {
  if (rest.length > 0) throw wrongWords();
  return name;
}

function wrongWords(): LandfallError {
  return new LandfallError('USAGE', 'landfall secret takes set and a name', {
    hint: 'Run: sudo landfall secret set OPENAI_API_KEY. It asks for the value, which never is an argument.',
  });
}
