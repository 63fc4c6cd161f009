import type { z } from 'zod';
import type { relayConfigSchema } from '../../../../appliance/relay/config.ts';
import { type Answer, Provider, providerKey } from '../provider.ts';
import { answerAsAnthropic } from './anthropic.ts';
import { anthropicCalls, type Calls, geminiCalls, ollamaCalls, openaiCalls } from './clients.ts';
import { answerAsGemini } from './gemini.ts';
import { answerAsOllama } from './ollama.ts';
import { answerAsStrictOpenai } from './openai.ts';

type Settings = z.input<typeof relayConfigSchema>;

const answers = {
  openai: answerAsStrictOpenai,
  anthropic: answerAsAnthropic,
  gemini: answerAsGemini,
  local: answerAsOllama,
} as const satisfies Readonly<Record<string, Answer>>;

export type Stands = Readonly<Record<keyof typeof answers, Provider>>;

/** Starts a strict stand-in of each API. @param host address to listen on */
export async function startStands(
  host = '127.0.0.1',
  own: Readonly<Record<keyof typeof answers, Answer>> = answers,
): Promise<Stands> {
  const entries = Object.entries(own).map(
    async ([name, answer]) => [name, await Provider.start(undefined, host, answer)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as unknown as Stands;
}

/** Returns the settings of a relay for them. */
export function settingsFor(stands: Stands, host = '127.0.0.1') {
  const { openai, anthropic, gemini, local } = stands;
  return {
    providers: {
      openai: { base_url: openai.base(host) },
      anthropic: { base_url: anthropic.base(host), api: 'anthropic' },
      gemini: { base_url: gemini.base(host, '/v1beta'), api: 'gemini' },
    },
    local: { base_url: local.base(host, '') },
  } satisfies Partial<Settings>;
}

/** Keys of the providers by variable. */
export const standKeys: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: providerKey,
  ANTHROPIC_API_KEY: providerKey,
  GEMINI_API_KEY: providerKey,
};

export async function closeStands(stands: Stands): Promise<void> {
  await Promise.all(Object.values(stands).map((stand) => stand.close()));
}

/** Official clients and where they point, with the name of the model that their list has. */
export const clients: ReadonlyArray<
  readonly [string, (url: string, key: string) => Calls, listed: string]
> = [
  ['openai, hosted', (url, key) => openaiCalls(`${url}/openai/v1`, key, 'gpt-test'), 'gpt-test'],
  ['openai, local', (url, key) => openaiCalls(`${url}/local/v1`, key, 'qwen3:8b'), 'qwen3:8b'],
  [
    'anthropic, hosted',
    (url, key) => anthropicCalls(`${url}/anthropic`, key, 'claude-test'),
    'claude-test',
  ],
  ['anthropic, local', (url, key) => anthropicCalls(`${url}/local`, key, 'qwen3:8b'), 'qwen3:8b'],
  [
    'genai, hosted',
    (url, key) => geminiCalls(`${url}/gemini`, key, 'gemini-test'),
    'models/gemini-test',
  ],
  ['ollama, local', (url, key) => ollamaCalls(`${url}/local`, key, 'qwen3:8b'), 'qwen3:8b'],
];
