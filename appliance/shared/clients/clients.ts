import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { nearest } from '#explain/nearest.ts';
import { agents } from './agents.ts';
import { chats } from './chats.ts';
import type { Client, ClientApi } from './client.ts';
import { editors } from './editors.ts';
import { libraries } from './libraries.ts';

/** The clients of the relay, in the order of the documentation. */
export const clients: readonly Client[] = [...agents, ...editors, ...chats, ...libraries];

/** Returns the root of each API at an origin where providers have their default names. */
export function defaultRoots(origin: string): Readonly<Record<ClientApi, string>> {
  return {
    ...{ openai: origin, anthropic: `${origin}/anthropic`, gemini: `${origin}/gemini` },
    ollama: `${origin}/local`,
  };
}

/** Returns the client with a name. @throws LandfallError USAGE with the nearest name, or all names */
export function findClient(name: string): Client {
  const found = clients.find(({ id }) => id === name.toLowerCase());
  if (found) return found;
  const names = clients.map(({ id }) => id);
  const near = nearest(name, names);
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `unknown client ${JSON.stringify(name.slice(0, 64))}`,
      zh: `未知的客户端 ${JSON.stringify(name.slice(0, 64))}`,
    }),
    {
      hint:
        near === undefined
          ? { en: `Choose from: ${names.join(', ')}.`, zh: `可选：${names.join('、')}。` }
          : { en: `Did you mean ${near}?`, zh: `您是否想输入 ${near}？` },
    },
  );
}
