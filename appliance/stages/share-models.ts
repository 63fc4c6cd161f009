import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { uiModelsFile } from '#contract/server-paths.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { listedName } from '#contract/sizes/local-models.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../server/host/host.ts';
import { StateFile } from '../server/host/state-file.ts';
import { engineOrigin } from '../server/ollama/ollama-api.ts';
import type { Context, Stage } from '../server/stage/stage.ts';
import { describedModels } from '../shared/smoke/engine-models.ts';
import { registerModels, type UiModel } from '../shared/smoke/ui-models.ts';
import { chosenStates } from './models/public.ts';
import { modelsStage } from './models/stage.ts';
import { serverTarget } from './smoke/target.ts';

/** What `uiModelsFile` records: the models that the chat UI offers to every account. */
const recordSchema = z.object({
  /** When the volume of the UI was created. A new volume has no entries. */
  volume: z.string(),
  models: z.array(z.string()).max(10_000),
});
const storedRecord = new StateFile(uiModelsFile, recordSchema);

/** The `models` stage, which also makes the chat UI offer the installed models to every account. */
export const sharedModelsStage: Stage = {
  ...modelsStage,
  check: async (context) => [
    ...(await modelsStage.check(context)),
    ...(await unshared(context)).map((name) =>
      inLanguage({
        en: `offer ${name} to the accounts of the chat UI`,
        zh: `向聊天界面的账户提供 ${name}`,
      }),
    ),
  ],
  apply: async (context) => {
    await modelsStage.apply(context);
    if ((await unshared(context)).length > 0) await shareOrWarn(context);
  },
};

/** Only warns: administrators chat without it. */
async function shareOrWarn(context: Context): Promise<void> {
  try {
    await shareModels(context);
  } catch (error) {
    if (!(error instanceof LandfallError) || error.code !== 'STACK_UNHEALTHY') throw error;
    const text = {
      en: `${error.message}. ${error.hint}`,
      zh: `聊天界面没有向账户显示模型。${error.hint}`,
    };
    context.report.warn({ kind: 'model-not-shared', subject: 'ui', text });
  }
}

/** Returns the names of installed models of the release that are not in the record. */
async function unshared(context: Context): Promise<string[]> {
  if (!isEnabled(context.site, 'ui')) return [];
  const installed = (await chosenStates(context)).filter(({ present }) => present);
  const names = installed.map(({ model }) => listedName(model));
  if (names.length === 0) return [];
  const record = await readRecord(context.host);
  return names.filter((name) => !record?.models.includes(name));
}

/**
 * Registers every model that Ollama lists with the chat UI.
 * @throws LandfallError STACK_UNHEALTHY when the UI does not accept them
 */
export async function shareModels(
  context: Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder' | 'server'>,
): Promise<void> {
  const { host, site } = context;
  const target = await serverTarget(context);
  let models: UiModel[];
  try {
    models = await host.outside.measure(async () => {
      const listed = await describedModels(engineOrigin(site));
      await registerModels(target, listed);
      return listed;
    });
  } catch (cause) {
    throw new LandfallError('STACK_UNHEALTHY', 'the chat UI does not show its models to accounts', {
      hint: {
        en: 'Check the logs: sudo docker logs --tail 50 landfall-ui. Or share the models in the chat UI: Admin Panel, Settings, Models.',
        zh: '查看日志：sudo docker logs --tail 50 landfall-ui。或在聊天界面中共享模型：管理员面板、设置、模型。',
      },
      retriable: true,
      cause,
    });
  }
  const record = { volume: await volumeCreated(host), models: models.map(({ name }) => name) };
  await storedRecord.write(host, record);
}

/** Returns the record; undefined if it is missing, invalid, or of another volume. */
async function readRecord(host: Host) {
  const record = await storedRecord.read(host);
  return record?.volume === (await volumeCreated(host)) ? record : undefined;
}

/** Returns when the volume of the chat UI was created; empty while there is none. */
async function volumeCreated(host: Host): Promise<string> {
  const command = ['volume', 'inspect', '--format', '{{.CreatedAt}}', 'landfall_ui-data'];
  const { stdout } = await host.run('docker', command, { accept: [1] });
  return stdout.trim();
}
