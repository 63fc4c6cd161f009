import { Command, InvalidArgumentError } from 'commander';
import { shortModelName } from '#contract/bundle/model-name.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { describeFit, fitOf } from '#contract/sizes/model-fit.ts';
import { contextOf } from '#contract/sizes/model-memory.ts';
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
    new Command('fit')
      .description(
        'show which models of the release this server has memory for, and with which context',
      )
      .option('--context <tokens>', 'tokens of a conversation, such as 65536', parseTokens)
      .option('--json', 'print it as JSON')
      .action(fit),
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
    .description("Ollama's models: list, download and delete them; which ones fit")
    .addHelpText(
      'after',
      exampleText('sudo landfall models pull qwen3:8b', 'sudo landfall models fit --context 65536'),
    );
}

function parseTokens(text: string): number {
  const tokens = /^[1-9]\d{2,6}$/.test(text) ? Number(text) : Number.NaN;
  if (tokens <= 1_048_576) return tokens;
  throw new InvalidArgumentError('Use a number of tokens up to 1048576, such as 65536.');
}

/** Shows the models of the release: whether they fit with a context, by default that of this server. */
async function fit({ context: wanted, json }: JsonFlag & { readonly context?: number }) {
  const { release, site, server } = await serverFacts();
  const { models } = localModels(release, site, server);
  const context = wanted ?? contextOf(models, server, site);
  const found = fitOf(release.models, server, context, site);
  console.log(json ? JSON.stringify(found, null, 2) : describeFit(found, server, context));
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
