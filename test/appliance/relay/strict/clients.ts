import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';

/** What an official client does through the relay. */
export interface Calls {
  readonly list: () => Promise<readonly (string | undefined)[]>;
  /** Returns the pieces of a streamed answer. */
  readonly stream: () => Promise<readonly (string | undefined)[]>;
  /** Returns the name of the tool that the model calls. */
  readonly tool: () => Promise<string | undefined>;
}

const content = 'Say hello';
const messages = [{ role: 'user' as const, content }];
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } };
const openaiTool = {
  type: 'function' as const,
  function: { name: 'weather', description: 'The weather of a city', parameters },
};

/** @param base such as `http://relay/openai/v1` */
export function openaiCalls(baseURL: string, apiKey: string, model: string): Calls {
  const client = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
  return {
    list: async () => (await client.models.list()).data.map(({ id }) => id),
    stream: async () => {
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      const pieces: Array<string | undefined> = [];
      for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? undefined);
      return pieces;
    },
    tool: async () => {
      const tools = [openaiTool];
      const { choices } = await client.chat.completions.create({ model, messages, tools });
      const [call] = choices[0]?.message.tool_calls ?? [];
      return call?.type === 'function' ? call.function.name : undefined;
    },
  };
}

/** @param base such as `http://relay/anthropic` */
export function anthropicCalls(baseURL: string, apiKey: string, model: string): Calls {
  const client = new Anthropic({ apiKey, authToken: null, baseURL, maxRetries: 0 });
  const request = { model, max_tokens: 100, messages };
  return {
    list: async () => (await client.models.list()).data.map(({ id }) => id),
    stream: async () => {
      const pieces: string[] = [];
      await client.messages
        .stream(request)
        .on('text', (text) => pieces.push(text))
        .finalMessage();
      return pieces;
    },
    tool: async () => {
      const tools = [{ name: 'weather', input_schema: parameters }];
      const { content: blocks } = await client.messages.create({ ...request, tools });
      return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []))[0];
    },
  };
}

/** @param base such as `http://relay/gemini` */
export function geminiCalls(baseUrl: string, apiKey: string, model: string): Calls {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
  return {
    list: async () => {
      const names: Array<string | undefined> = [];
      for await (const { name } of await client.models.list()) names.push(name);
      return names;
    },
    stream: async () => {
      const stream = await client.models.generateContentStream({ model, contents: content });
      const pieces: Array<string | undefined> = [];
      for await (const { text } of stream) pieces.push(text);
      return pieces;
    },
    tool: async () => {
      const functionDeclarations = [{ name: 'weather', parametersJsonSchema: parameters }];
      const config = { tools: [{ functionDeclarations }] };
      const answer = await client.models.generateContent({ model, contents: content, config });
      return answer.functionCalls?.[0]?.name;
    },
  };
}

/** @param host such as `http://relay/local` */
export function ollamaCalls(host: string, apiKey: string, model: string): Calls {
  const client = new Ollama({ host, headers: { authorization: `Bearer ${apiKey}` } });
  return {
    list: async () => (await client.list()).models.map(({ name }) => name),
    stream: async () => {
      const pieces: string[] = [];
      for await (const { message } of await client.chat({ model, messages, stream: true }))
        pieces.push(message.content);
      return pieces;
    },
    tool: async () => {
      const { message } = await client.chat({ model, messages, tools: [openaiTool] });
      return message.tool_calls?.[0]?.function.name;
    },
  };
}
