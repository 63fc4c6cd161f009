import { z } from 'zod';
import { inLanguage } from '#contract/text/language.ts';
import { engineBase, engineModels } from '../engine-models.ts';
import { exchange, jsonOf } from '../exchange.ts';
import { generate, whyNoModel } from '../generate.ts';
import { insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';

/** Ollama's API (SPEC 4, E1 and E2): the fields that the project relies on. */
const versionSchema = z.object({ version: z.string().min(1) });
const generatedSchema = z.object({
  model: z.string(),
  created_at: z.string(),
  response: z.string(),
  done: z.boolean(),
});
const errorSchema = z.object({ error: z.string().min(1) });

export const engineTests = testsOf(
  'engine',
  [
    {
      name: 'engine-version',
      title: 'the inference engine responds',
      chinese: '推理引擎有响应',
      run: async (target) => void versionSchema.parse(await get(target, '/api/version')),
    },
    {
      name: 'engine-models',
      title: 'the inference engine lists its models',
      chinese: '推理引擎能列出模型',
      run: async (target) => void (await engineModels(target)),
    },
    {
      name: 'engine-generate',
      title: 'a model returns a complete response',
      chinese: '模型返回完整的回答',
      notFor: needsModel,
      run: async (target, note) => {
        const generated = generatedSchema.parse(jsonOf(await generate(target, false, note)));
        if (!generated.done)
          throw new Error(inLanguage({ en: 'the response is not complete', zh: '回答不完整' }));
      },
    },
    {
      name: 'engine-generate-streamed',
      title: 'a model streams a response',
      chinese: '模型以流式返回回答',
      notFor: needsModel,
      run: async (target, note) => {
        const { text } = await generate(target, true, note);
        const chunks = text
          .trim()
          .split('\n')
          .map((line) => generatedSchema.parse(JSON.parse(line)));
        if (chunks.length < 2)
          throw new Error(
            inLanguage({ en: 'the response has one chunk only', zh: '回答只有一个数据块' }),
          );
        if (!chunks.at(-1)?.done)
          throw new Error(
            inLanguage({
              en: 'the last chunk is not marked as done',
              zh: '最后一个数据块没有结束标记',
            }),
          );
      },
    },
    {
      name: 'engine-unknown-model',
      title: 'an unknown model returns a clear error',
      chinese: '请求未知的模型时返回明确的错误',
      run: async (target) => {
        const body = { model: 'landfall-no-such-model:1b', prompt: 'x', stream: false };
        const url = `${engineBase(target)}/api/generate`;
        errorSchema.parse(jsonOf(await exchange(url, { body }), 404));
      },
    },
  ],
  insideOnly,
);

/** A missing model is not a failure: models are large and may still be downloading. */
async function needsModel(target: SmokeTarget): Promise<string | undefined> {
  return insideOnly(target) ?? (await whyNoModel(target));
}

async function get(target: SmokeTarget, path: string): Promise<unknown> {
  return jsonOf(await exchange(`${engineBase(target)}${path}`));
}
