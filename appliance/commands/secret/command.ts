import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { exampleText, rootCommand, serverContext, serverFacts } from '../command.ts';
import { setByHand } from './set.ts';

/** `landfall secret`: sets secrets that the server cannot generate, lists all, and replaces generated ones. */
export function secretCommand() {
  const set = new Command('set')
    .description('ask for the value of a secret and store it')
    .usage('<name>')
    .argument('[name...]')
    // commander repeats invalid arguments in its message, and one may be the secret.
    .allowUnknownOption()
    .action((words) => setByHand(nameIn(words)));
  return rootCommand('secret')
    .description('set, list and replace secrets, such as provider keys and access codes')
    .addCommand(set, { isDefault: true })
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .hook('preSubcommand', ({ args: [action = ''], commands }) => {
      if (!commands.some((command) => command.name() === action)) throw wrongArguments();
    })
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall secret set OPENAI_API_KEY',
        'sudo landfall secret rotate --all-generated',
      ),
    );
}

function listCommand() {
  return new Command('list')
    .description('show which secrets are set, how old they are, and who uses them; no values')
    .option('--json', 'print them as JSON')
    .action(async ({ json }) => {
      const { showSecrets } = await import('./list.ts');
      await showSecrets(await serverFacts(), json);
    });
}

function rotateCommand() {
  return new Command('rotate')
    .description('replace generated secrets; only the components that read them restart')
    .argument('[name...]', 'the secrets; see `landfall secret list`')
    .option('--all-generated', 'all generated secrets in use, without WEBUI_SECRET_KEY')
    .option('--yes', 'do not ask for confirmation')
    .action(async (names, options) => {
      const { rotateSecrets } = await import('./rotate.ts');
      await rotateSecrets(await serverContext(), names, options);
    });
}

function nameIn([name, ...rest]: readonly string[]): string | undefined {
  if (rest.length > 0) throw wrongArguments();
  return name;
}

function wrongArguments(): LandfallError {
  return new LandfallError(
    'USAGE',
    inLanguage({
      en: 'landfall secret takes only set, list or rotate, and names',
      zh: 'landfall secret 只接受 set、list 或 rotate，以及名称',
    }),
    {
      hint: {
        en: 'Run `sudo landfall secret set OPENAI_API_KEY`, and enter the value at the prompt or pass it on standard input.',
        zh: '运行 `sudo landfall secret set OPENAI_API_KEY`，在提示处输入值，或从标准输入传入。',
      },
    },
  );
}
