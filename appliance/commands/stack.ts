import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { exampleText, rootCommand, serverFacts } from './command.ts';

/** `landfall stack`: prints what runs on the nodes of a Swarm. */
export function stackCommand() {
  const render = new Command('render')
    .description('print the stack file of the Swarm, as the first server deploys it')
    .option('--swarm', 'that of the Swarm; required, because `landfall plan` shows the other files')
    .action(async ({ swarm }) => {
      if (!swarm) {
        throw new LandfallError(
          'USAGE',
          inLanguage({
            en: 'only the stack file of a Swarm can be printed',
            zh: '只能显示 Swarm 的 stack 文件',
          }),
          {
            hint: {
              en: 'Add --swarm. The files of this server are in /var/lib/landfall/stack.',
              zh: '加上 --swarm。这台服务器的文件在 /var/lib/landfall/stack 中。',
            },
          },
        );
      }
      const { swarmStackText } = await import('../stages/stack/swarm.ts');
      process.stdout.write(await swarmStackText(await serverFacts()));
    });
  return rootCommand('stack')
    .description('print what runs on the nodes of a Swarm')
    .addCommand(render)
    .addHelpText('after', exampleText('sudo landfall stack render --swarm'));
}
