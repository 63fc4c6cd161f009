import { randomUUID } from 'node:crypto';
import type { UiSettings } from './settings.ts';

interface Stored {
  readonly text: string;
  readonly data: { readonly status: 'completed' | 'failed'; readonly error?: string };
  readonly vector: readonly number[];
}

/** Uploaded documents in memory (Open WebUI 0.12, routers/files.py and routers/retrieval.py). */
export class Documents {
  readonly #stored = new Map<string, Stored>();

  /** Returns undefined for unrelated requests. */
  async answer(
    request: Request,
    pathname: string,
    settings: UiSettings,
  ): Promise<Response | undefined> {
    if (request.method === 'POST' && pathname === '/api/v1/files/') {
      return await this.#upload(request, settings);
    }
    if (request.method === 'POST' && pathname === '/api/v1/retrieval/query/doc') {
      return await this.#query(request, settings);
    }
    const id = /^\/api\/v1\/files\/([\w-]+)$/.exec(pathname)?.[1];
    if (id === undefined) return undefined;
    const stored = this.#stored.get(id);
    if (!stored)
      return Response.json(
        { detail: "We could not find what you're looking for :/" },
        { status: 404 },
      );
    if (request.method === 'DELETE') this.#stored.delete(id);
    return Response.json({ id, data: stored.data });
  }

  async #upload(request: Request, settings: UiSettings): Promise<Response> {
    const file = (await request.formData()).get('file');
    if (!(file instanceof File)) return Response.json({ detail: 'no file' }, { status: 422 });
    const id = randomUUID();
    const text = await file.text();
    const stored = await vectorOf(text, settings).then(
      (vector): Stored => ({ text, vector, data: { status: 'completed' } }),
      (error): Stored => ({
        text,
        vector: [],
        data: { status: 'failed', error: `${error.message}` },
      }),
    );
    this.#stored.set(id, stored);
    return Response.json({ id, filename: file.name, data: stored.data });
  }

  async #query(request: Request, settings: UiSettings): Promise<Response> {
    const { collection_name: name = '', query = '' } = (await request.json()) as Record<
      string,
      string
    >;
    const stored = this.#stored.get(name.replace(/^file-/, ''));
    if (!stored) return Response.json(null);
    const asked = await vectorOf(query, settings);
    const distance = asked.reduce(
      (sum, value, index) => sum + value * (stored.vector[index] ?? 0),
      0,
    );
    return Response.json({ ids: [[name]], distances: [[distance]], documents: [[stored.text]] });
  }
}

/**
 * Without Ollama, the model in the image always succeeds.
 * @throws Error with the original's message
 */
async function vectorOf(text: string, { engine, embedding }: UiSettings): Promise<number[]> {
  if (embedding.engine !== 'ollama') return [1];
  const answer = await fetch(`${engine}/api/embed`, {
    method: 'POST',
    body: JSON.stringify({ input: [text], model: embedding.model, truncate: true }),
  });
  const body = (await answer.json()) as { embeddings?: number[][]; error?: string };
  const [vector] = body.embeddings ?? [];
  if (answer.ok && vector) return vector;
  throw new Error(`Ollama embed error (${answer.status}): ${body.error}`);
}
