import { Command } from 'commander';
import { commandGroup, exampleText, serverFacts } from '../command.ts';
import type { FieldChange } from './set.ts';

const fileText = 'a site.yaml, or - for standard input; default: /etc/landfall/site.yaml';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall site`: shows and changes the site of this server. */
export function siteCommand() {
  const showCommand = new Command('show')
    .description('show the site, or one field of it (default)')
    .argument('[field]', 'such as hosts.ui')
    .option('--json', 'print it as JSON')
    .action(async (field, { json }) => {
      const { showSite } = await import('./show.ts');
      await showSite((await serverFacts()).host, field, json);
    });
  return commandGroup('site', showCommand, [
    new Command('diff')
      .description('show what another site would change; changes nothing')
      .argument('[file]', fileText)
      .option('--json', 'print it as JSON')
      .action(async (file, { json }) => {
        const { showDifferences } = await import('./diff.ts');
        await showDifferences(await serverFacts(), file, json);
      }),
    new Command('apply')
      .description('change the site, and go back automatically if the server does not work with it')
      .argument('[file]', fileText)
      .option('--yes', 'do not ask')
      .action(async (file, { yes }) => {
        const { applySite } = await import('./apply.ts');
        await applySite(await serverFacts(), file, yes);
      }),
    new Command('edit').description('edit the site in $EDITOR, and apply it').action(async () => {
      const { editSite } = await import('./edit.ts');
      await editSite(await serverFacts());
    }),
    fieldCommand('set', '<value...>', 'change fields: hosts.ui chat.example.com'),
    fieldCommand('add', '<value...>', 'add an entry to a list: firewall.allow 8443/tcp'),
    fieldCommand('remove', '[value...]', 'remove an entry of a list, or a field'),
    new Command('undo')
      .description('go back to the site before the last change')
      .option('--yes', 'do not ask')
      .action(async ({ yes }) => {
        const { undoSite } = await import('./apply.ts');
        await undoSite(await serverFacts(), yes);
      }),
    new Command('fields')
      .description('print the fields of site.yaml: values, defaults, meanings, what a change does')
      .argument('[field]', 'with all below it, such as tls')
      .option('--json', 'print them as JSON')
      .action(async (field, { json }) => {
        const { showFields } = await import('./fields.ts');
        showFields(field, json);
      }),
    new Command('history').description('show the last ten changes of the site').action(async () => {
      const { showHistory } = await import('./history.ts');
      await showHistory(await serverFacts());
    }),
  ])
    .description('show and change the site of this server')
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall site edit',
        'sudo landfall site set hosts.ui chat.example.com',
        'sudo landfall site set tls.mode acme tls.email me@example.com tls.accept_terms true',
        'sudo landfall site apply site.yaml',
      ),
    );
}

function fieldCommand(
  action: FieldChange['action'],
  value: '<value...>' | '[value...]',
  text: string,
) {
  return new Command(action)
    .description(text)
    .argument('<field>', 'such as hosts.ui')
    .argument(value, 'as in site.yaml; `set` takes further fields and values')
    .option('--yes', 'do not ask')
    .action(async (field, given, { yes }) => {
      const { changeFields, changesOf } = await import('./set.ts');
      await changeFields(await serverFacts(), changesOf(action, field, given), yes);
    });
}
