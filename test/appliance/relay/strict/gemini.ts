import { type Answer, providerKey } from '../provider.ts';
import { event, stream, strict } from './strict.ts';

const answerWith = (part: object) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
});

interface Tool {
  readonly functionDeclarations: ReadonlyArray<{ readonly name: string }>;
}

/** Gemini's API below `/v1beta`. It accepts no key in the query. */
export const answerAsGemini: Answer = strict(
  { 'x-goog-api-key': new RegExp(`^${providerKey}$`) },
  ({ method, path, query, body }, response) => {
    if (query.has('key')) return undefined;
    if (method === 'GET' && path === '/v1beta/models')
      return { models: [{ name: 'models/gemini-test', displayName: 'Gemini' }] };
    const [, action] = /^\/v1beta\/models\/gemini-test:(\w+)$/.exec(path) ?? [];
    if (method !== 'POST') return undefined;
    const [tool] = (body.tools as Tool[] | undefined) ?? [];
    const name = tool?.functionDeclarations[0]?.name;
    switch (action) {
      case 'generateContent':
        return answerWith(
          name === undefined
            ? { text: 'Hello' }
            : { functionCall: { name, args: { city: 'Paris' } } },
        );
      case 'streamGenerateContent':
        return query.get('alt') === 'sse'
          ? stream(
              response,
              ['Hel', 'lo'].map((text) => event(answerWith({ text }))),
            )
          : [answerWith({ text: 'Hello' })];
      case 'countTokens':
        return { totalTokens: 3 };
      case 'embedContent':
        return { embedding: { values: [0.5, 0.25] } };
      case 'batchEmbedContents':
        return { embeddings: [{ values: [0.5, 0.25] }] };
      default:
        return undefined;
    }
  },
);
