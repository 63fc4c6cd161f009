import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { relaySettings } from '#contract/site/relay/relay-settings.ts';
import type { Client, Part } from '../../../../appliance/shared/clients/client.ts';
import { clients, defaultRoots, findClient } from '../../../../appliance/shared/clients/clients.ts';

const key = 'Ab0-_cd';
const origin = 'https://api.example.com';
const model = 'org/model:8b';

function partsOf({ variants }: Client, more: { readonly context?: number } = {}) {
  const roots = defaultRoots(origin);
  return variants.flatMap(({ api, suffix, parts }) => {
    const values = { base: `${roots[api]}${suffix}`, key, model, ...more };
    return parts.map((part) => ({ part, text: textOf(part, values), values }));
  });
}

function textOf(part: Part, values: Parameters<Extract<Part, { lines: unknown }>['lines']>[0]) {
  return 'steps' in part ? part.steps(values).en : part.lines(values);
}

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  yaml: (text) => parseYaml(text),
};

describe('the table of clients', () => {
  it.each(clients.map((client) => [client.id, client] as const))(
    'names each client as a relay key can be named: %s',
    (id) => {
      expect(relaySettings.safeParse({ keys: [id] }).success).toBe(true);
    },
  );

  it('contains each name once', () => {
    const ids = clients.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(clients.map((client) => [client.id, client] as const))(
    'writes valid files with the base URL of each API: %s',
    (_id, client) => {
      const parts = partsOf(client);
      for (const { part, text } of [...parts, ...partsOf(client, { context: 65_536 })]) {
        if ('lines' in part && text !== '')
          expect(() => parsers[part.language]?.(text)).not.toThrow();
      }
      const all = parts.map(({ text }) => text).join('\n');
      for (const { values } of parts) expect(all).toContain(values.base);
    },
  );

  // Without it, they never shorten a conversation: Claude Code assumes a million tokens.
  it.each([
    ['claude-code', 'export CLAUDE_CODE_MAX_CONTEXT_TOKENS=16384'],
    ['codex', 'model_provider = "relay"\nmodel_context_window = 16384\nweb_search = "disabled"\n'],
    ['opencode', '{ "limit": { "context": 16384, "output": 2048 } }'],
    ['qwen-code', '"contextWindowSize": 16384'],
    ['continue', 'contextLength: 16384'],
    ['zed', '"max_tokens": 16384'],
    ['vscode', '"maxInputTokens": 14336,\n        "maxOutputTokens": 2048'],
  ])('states the context of a local model: %s', (id, line) => {
    const texts = (more: object) => partsOf(findClient(id), more).map(({ text }) => text);
    expect(texts({ context: 16_384 }).join('\n')).toContain(line);
    expect(texts({}).join('\n')).not.toContain(line);
  });

  it('encodes a link that its app can decode', () => {
    const values = { base: 'https://api.example.com/ü?>', key, model };
    const link = new URL(findClient('nextchat').link?.(values) ?? '');
    const [, settings = ''] = decodeURIComponent(link.hash).split('settings=');
    expect(JSON.parse(settings)).toEqual({ key, url: values.base });
    const ascii = { ...values, base: 'https://api.example.com/>>>???' };
    const data = new URL(findClient('cherry-studio').link?.(ascii) ?? '').searchParams.get('data');
    // As Cherry Studio does.
    const decoded = atob(`${data}`.replaceAll('_', '+').replaceAll('-', '/'));
    expect(JSON.parse(decoded)).toMatchObject({ baseUrl: ascii.base, apiKey: key });
  });
});

describe('findClient', () => {
  it('finds a client in any case', () => {
    expect(findClient('Claude-Code').title.en).toBe('Claude Code');
  });

  it.each([
    ['cluade-code', 'Did you mean claude-code?'],
    ['curser', 'Did you mean cursor?'],
    ['notepad', 'Choose from: claude-code, codex,'],
  ])('suggests the nearest name, or all: %s', (name, hint) => {
    try {
      findClient(name);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'USAGE' });
      expect(JSON.stringify(error)).toContain(hint);
    }
  });
});
