import { z } from 'zod';
import { exchange, jsonOf } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { Target } from './target.ts';

/** What Ollama answers to `GET /api/tags` (SPEC 4, E1). Strict in what the project relies on. */
const tagsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      model: z.string().min(1),
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      size: z.int().nonnegative(),
      modified_at: z.string(),
    }),
  ),
});

export type EngineModel = z.infer<typeof tagsSchema>['models'][number];

/** The models that the engine lists. @throws Error when it answers anything else */
export async function engineModels(target: Target): Promise<EngineModel[]> {
  const answer = await exchange(`${insideOf(target).engine}/api/tags`);
  return tagsSchema.parse(jsonOf(answer)).models;
}
