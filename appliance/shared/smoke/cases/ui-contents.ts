import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { logCommand } from '#contract/component-names.ts';
import { inLanguage } from '#contract/text/language.ts';
import { engineModels, lockedModels, modelOf } from '../engine-models.ts';
import { jsonOf } from '../exchange.ts';
import { insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { callUi, signIn } from '../ui-session.ts';
import { needsProvider, whyNoChat } from './relay.ts';

/** Open WebUI 0.12, routers/files.py and routers/retrieval.py: the fields that the tests use. */
const uploadedSchema = z.object({ id: z.string().min(1) });
const fileSchema = z.object({
  data: z.object({ status: z.string().optional(), error: z.string().nullish() }).nullish(),
});
const foundSchema = z.object({ documents: z.array(z.array(z.string())) });
const modelsSchema = z.object({
  data: z.array(z.object({ id: z.string(), owned_by: z.string() })),
});

/** The first document loads the embedding model. Milliseconds. */
const timeout = 120_000;

export const uiContentTests = testsOf('ui', [
  {
    name: 'ui-document',
    title: 'an uploaded document can be searched',
    chinese: '上传的文档可以检索',
    lookAt: `${logCommand('ui')}; sudo landfall models list`,
    notFor: needsEmbedding,
    run: (target) => uploadAndSearch(target),
  },
  {
    name: 'ui-hosted-models',
    title: 'the chat UI lists hosted models',
    chinese: '聊天界面列出云端模型',
    needsOthers: true,
    lookAt: `${logCommand('ui')}; ${logCommand('relay')}`,
    notFor: (target) => needsProvider(target) ?? whyNoChat(target),
    run: async (target) => {
      const token = await signIn(target);
      const { data } = modelsSchema.parse(jsonOf(await callUi(target, '/api/models', {}, token)));
      if (data.some(({ owned_by: owner }) => owner === 'openai')) return;
      throw new Error(
        inLanguage({
          en: `no hosted model is listed, only: ${data.map(({ id }) => id).join(', ') || 'none'}`,
          zh: `没有列出云端模型，只有：${data.map(({ id }) => id).join(', ') || '无'}`,
        }),
      );
    },
  },
]);

/** A missing model is not a failure: the report lists it. */
async function needsEmbedding(target: SmokeTarget): Promise<string | undefined> {
  if (!target.inside) return insideOnly(target);
  const locked = lockedModels(target).find(({ role }) => role === 'embedding');
  if (!locked) return undefined;
  const noServer = await target.inside.whyNoServer?.();
  if (noServer !== undefined) return noServer;
  return modelOf(await engineModels(target), locked)
    ? undefined
    : inLanguage({ en: `not installed yet: ${locked.name}`, zh: `还没有安装：${locked.name}` });
}

/** Uploads a short text, searches for its content, and deletes it. */
async function uploadAndSearch(target: SmokeTarget): Promise<void> {
  const token = await signIn(target);
  const code = randomUUID();
  const form = new FormData();
  const text = `The code of the smoke test is ${code}.\n`;
  form.append('file', new Blob([text], { type: 'text/plain' }), 'landfall-smoke.txt');
  const path = '/api/v1/files/?process=true&process_in_background=false';
  const { id } = uploadedSchema.parse(jsonOf(await callUi(target, path, { form, timeout }, token)));
  try {
    const { data } = fileSchema.parse(
      jsonOf(await callUi(target, `/api/v1/files/${id}`, {}, token)),
    );
    if (data?.status !== 'completed') {
      throw new Error(
        inLanguage({
          en: `the document is ${data?.status ?? 'not processed'}: ${data?.error ?? 'no reason given'}`,
          zh: `文档的状态是 ${data?.status ?? '未处理'}：${data?.error ?? '没有原因'}`,
        }),
      );
    }
    const query = 'What is the code of the smoke test?';
    const call = { body: { collection_name: `file-${id}`, query, k: 1 }, timeout };
    const answer = await callUi(target, '/api/v1/retrieval/query/doc', call, token);
    const { documents } = foundSchema.parse(jsonOf(answer));
    if (!documents.flat().some((found) => found.includes(code))) {
      throw new Error(
        inLanguage({ en: 'the document is not among the results', zh: '结果中没有这个文档' }),
      );
    }
  } finally {
    await callUi(target, `/api/v1/files/${id}`, { method: 'DELETE' }, token);
  }
}
