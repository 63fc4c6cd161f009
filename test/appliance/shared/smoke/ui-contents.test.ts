import { describe, expect, it } from 'vitest';
import { uiContentTests } from '../../../../appliance/shared/smoke/cases/ui-contents.ts';
import type { LockedModel } from '../../../../appliance/shared/smoke/target.ts';
import type { Handler } from '../../../stand-ins/serve.ts';
import { portOf } from './closing-servers.ts';
import { resultOf } from './outcomes.ts';
import { uiServer } from './ui-server.ts';

const embedding: LockedModel = { name: 'tiny-embedding:1b', digest: null, role: 'embedding' };

/** Ollama with one model, which returns the same vector for every text. */
const ollama: Handler = async (request) => {
  const { model } = (await request.json()) as { model: string };
  return model === embedding.name
    ? Response.json({ embeddings: [[1, 0]] })
    : Response.json({ error: `model "${model}" not found, try pulling it first` }, { status: 404 });
};

/** A chat UI with these variables, on a server with these models. */
async function targetWith(
  env: Record<string, string>,
  site: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
  models: readonly LockedModel[] = [embedding],
) {
  return await uiServer({ env, site, secrets, models, installed: embedding, ollama });
}

describe('a document in the chat UI', () => {
  const result = async (...args: Parameters<typeof targetWith>) =>
    await resultOf('ui-document', await targetWith(...args), uiContentTests);

  it('finds a document with the embedding model of the release', async () => {
    const env = { RAG_EMBEDDING_ENGINE: 'ollama', RAG_EMBEDDING_MODEL: embedding.name };
    expect(await result(env)).toMatchObject({ outcome: 'passed' });
  });

  it('finds a document with the model in the image if the release has none', async () => {
    expect(await result({}, {}, {}, [])).toMatchObject({ outcome: 'passed' });
  });

  // Regression: every upload failed, because Ollama does not have that model.
  it('fails if Open WebUI uses its own default model with Ollama', async () => {
    expect(await result({ RAG_EMBEDDING_ENGINE: 'ollama' })).toMatchObject({
      outcome: 'failed',
      detail:
        'the document is failed: Ollama embed error (404): model "sentence-transformers/all-MiniLM-L6-v2" not found, try pulling it first',
    });
  });

  it('skips the search of a document while the embedding model is missing', async () => {
    const missing = { ...embedding, name: 'all-minilm:22m' };
    expect(await result({}, {}, {}, [missing])).toMatchObject({
      outcome: 'skipped',
      detail: 'not installed yet: all-minilm:22m',
    });
  });
});

describe('hosted models in the chat UI', () => {
  const site = { providers: { openai: { base_url: 'https://api.openai.com/v1' } } };
  const relay: Handler = (request) =>
    request.headers.get('authorization') === 'Bearer relay-key'
      ? Response.json({ data: [{ id: 'gpt-x' }] })
      : Response.json({ error: { code: 'relay_key_invalid' } }, { status: 401 });
  const result = async (key: string | undefined) => {
    const env = {
      ENABLE_OPENAI_API: key === undefined ? 'False' : 'True',
      OPENAI_API_BASE_URLS: `http://127.0.0.1:${await portOf(relay)}/v1`,
      OPENAI_API_KEYS: key ?? '',
    };
    const secrets = { OPENAI_API_KEY: 'of-the-provider' };
    return await resultOf('ui-hosted-models', await targetWith(env, site, secrets), uiContentTests);
  };

  it('lists hosted models if the UI has its relay key', async () => {
    expect(await result('relay-key')).toMatchObject({ outcome: 'passed' });
  });

  it.each([undefined, 'wrong'])('reports hosted models as missing with the key %s', async (key) => {
    expect(await result(key)).toMatchObject({
      outcome: 'failed',
      detail: 'no hosted model is listed, only: tiny-embedding:1b',
    });
  });

  it('skips hosted models if no provider has a key', async () => {
    const target = await targetWith({}, site);
    expect(await resultOf('ui-hosted-models', target, uiContentTests)).toMatchObject({
      outcome: 'skipped',
      detail: 'no provider key is set: run sudo landfall secret set OPENAI_API_KEY',
    });
  });
});
