import { Command } from 'commander';
import { shortModelName } from '#contract/bundle/model-name.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { inLanguage } from '#contract/text/language.ts';
import { OllamaApi } from '../server/ollama/ollama-api.ts';
import { screenReporter } from '../server/progress/terminal/screen-reporter.ts';
import { describeModels, listModels } from '../stages/models/list-models.ts';
import { modelStates, readModelName } from '../stages/models/public.ts';
import { pullByHand, removeByHand } from '../stages/models/pull-by-hand.ts';
import { updateModels } from '../stages/report/update-models.ts';
import { shareModels } from '../stages/share-models.ts';
import { commandGroup, exampleText, type JsonFlag, serverFacts } from './command.ts';

/** `landfall models`: the models of Ollama on this server. */
export function modelsCommand() {
  const listCommand = new Command('list')
    .description('show the models of this server (default)')
    .option('--json', 'print them as JSON')
    .action(list);
  return commandGroup('models', listCommand, [
    new Command('pull')
      .description('download a model')
      .argument('<name>', 'such as qwen3:8b')
      .option('--mirror <url>', 'download it from this mirror')
      .action(pull),
    new Command('remove')
      .description('delete a model')
      .argument('<name>', 'such as qwen3:8b')
      .action(remove),
  ])
    .description("Ollama's models: list, download and delete them")
    .addHelpText('after', exampleText('sudo landfall models pull qwen3:8b'));
}

async function list({ json }: JsonFlag): Promise<void> {
  const facts = await serverFacts();
  const { models: chosen } = localModels(facts.release, facts.site, facts.server);
  const listed = await OllamaApi.of(facts.site).list();
  const found = listModels(listed, await modelStates(facts), chosen);
  console.log(json ? JSON.stringify(found, null, 2) : describeModels(found));
}

/** Downloads a model. After Ctrl-C the next pull resumes the download. */
async function pull(name: string, { mirror }: { readonly mirror?: string }): Promise<void> {
  const facts = await serverFacts();
  const { reporter, end } = screenReporter(process.stdout, process.env);
  try {
    await pullByHand({ ...facts, report: reporter }, readModelName(name), mirror);
  } finally {
    end();
  }
  const short = shortModelName(readModelName(name));
  console.log(inLanguage({ en: `${short} is installed.`, zh: `${short} 已安装。` }));
  await updateModels(facts);
  await shareModels(facts);
}

async function remove(name: string): Promise<void> {
  const facts = await serverFacts();
  const short = shortModelName(readModelName(name));
  const comesBack = await removeByHand(facts, readModelName(name));
  console.log(inLanguage({ en: `${short} is deleted.`, zh: `${short} 已删除。` }));
  if (comesBack) {
    console.log(
      inLanguage({
        en: 'The next sudo landfall first-boot downloads it again, because the site selects it.',
        zh: '站点选用了它，下一次 sudo landfall first-boot 会再次下载。',
      }),
    );
  }
  await updateModels(facts);
}
