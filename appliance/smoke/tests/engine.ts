import { z } from 'zod';
import { engineModels } from '../engine-models.ts';
import { type Answer, exchange, jsonOf } from '../exchange.ts';
import { insideOf, insideOnly, type SmokeTest } from '../smoke-test.ts';
import type { Target } from '../target.ts';

/** Ollama's API (SPEC 4, E1 and E2). Strict in what the project relies on. */
const versionSchema = z.object({ version: z.string().min(1) });
const generatedSchema = z.object({
  model: z.string(),
  created_at: z.string(),
  response: z.string(),
  done: z.boolean(),
});
const errorSchema = z.object({ error: z.string().min(1) });

const lookAt = 'sudo docker logs --tail 50 landfall-engine';
/** A model of several gigabytes is read from disk for the first answer. Milliseconds. */
const generatePatience = 300_000;
/** A few tokens prove as much as many. */
const options = { num_predict: 8 };

export const engineTests: readonly SmokeTest[] = [
  {
    name: 'engine-version',
    title: 'the engine answers',
    lookAt,
    notFor: insideOnly,
    run: async (target) => void versionSchema.parse(await get(target, '/api/version')),
  },
  {
    name: 'engine-models',
    title: 'the engine lists its models',
    lookAt,
    notFor: insideOnly,
    run: async (target) => void (await modelNames(target)),
  },
  {
    name: 'engine-generate',
    title: 'a model answers in one piece',
    lookAt,
    notFor: needsModel,
    run: async (target) => {
      const body = {
        model: await firstModel(target),
        prompt: 'Say hello.',
        stream: false,
        options,
      };
      const generated = generatedSchema.parse(jsonOf(await post(target, body)));
      if (!generated.done) throw new Error('the answer is not complete');
    },
  },
  {
    name: 'engine-generate-streamed',
    title: 'a model answers piece by piece',
    lookAt,
    notFor: needsModel,
    run: async (target) => {
      const body = { model: await firstModel(target), prompt: 'Say hello.', options };
      const { text } = await post(target, body);
      const pieces = text
        .trim()
        .split('\n')
        .map((line) => generatedSchema.parse(JSON.parse(line)));
      if (pieces.length < 2) throw new Error('the answer came in one piece');
      if (!pieces.at(-1)?.done) throw new Error('the last piece does not say that it is the last');
    },
  },
  {
    name: 'engine-unknown-model',
    title: 'a model that is not there gives a clear error',
    lookAt,
    notFor: insideOnly,
    run: async (target) => {
      const body = { model: 'landfall-no-such-model:1b', prompt: 'x', stream: false };
      errorSchema.parse(jsonOf(await post(target, body), 404));
    },
  },
];

/** A server without a model is up all the same: models are large and come when they come. */
async function needsModel(target: Target): Promise<string | undefined> {
  if (!target.inside) return insideOnly(target);
  return (await modelNames(target)).length > 0 ? undefined : 'no model was pulled';
}

async function firstModel(target: Target): Promise<string> {
  const [name] = await modelNames(target);
  if (name) return name;
  throw new Error('the engine has no model any more');
}

async function modelNames(target: Target): Promise<string[]> {
  return (await engineModels(target)).map(({ name }) => name);
}

async function get(target: Target, path: string): Promise<unknown> {
  return jsonOf(await exchange(`${insideOf(target).engine}${path}`));
}

async function post(target: Target, body: unknown): Promise<Answer> {
  const url = `${insideOf(target).engine}/api/generate`;
  return await exchange(url, { method: 'POST', body, patience: generatePatience });
}
