import { z } from 'zod';

const listSchema = z.object({ models: z.array(z.object({ digest: z.string() })) });

/** Returns the digests of the models that Ollama lists; empty if it does not respond. */
export async function listedDigests(port: number | undefined): Promise<Set<string>> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/tags`, {
      signal: AbortSignal.timeout(20_000),
    });
    const { models } = listSchema.parse(await answer.json());
    return new Set(models.map(({ digest }) => `sha256:${digest}`));
  } catch {
    return new Set();
  }
}
