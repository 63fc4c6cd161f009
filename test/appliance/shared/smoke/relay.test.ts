import { afterEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { relayConfigSchema } from '../../../../appliance/relay/config.ts';
import { type RunningRelay, serve } from '../../../../appliance/relay/node/serve.ts';
import { relayTests } from '../../../../appliance/shared/smoke/cases/relay.ts';
import type { SmokeTarget } from '../../../../appliance/shared/smoke/target.ts';
import {
  type Provider,
  providerShapes,
  startProvider,
} from '../../../stand-ins/provider/provider.ts';
import { portOf } from './closing-servers.ts';
import { insideTarget, outsideTarget } from './inside-target.ts';
import { outcomes, resultOf } from './outcomes.ts';

const ownerKey = 'owner-relay-key';
let relay: RunningRelay | undefined;
let provider: Provider | undefined;
afterEach(async () => {
  await relay?.stop(0);
  await provider?.close();
  relay = undefined;
  provider = undefined;
});

/** A real relay in front of a provider, on a server with one relay key. */
async function relayTarget(
  known: { readonly atProvider: string; readonly atRelay: string } | undefined,
): Promise<SmokeTarget> {
  provider = await startProvider({ key: known?.atProvider ?? 'unknown-key' });
  const providers = { openai: { base_url: provider.baseUrl } };
  const config = relayConfigSchema.parse({
    listen: { host: '127.0.0.1', port: 0 },
    providers,
    keys: [{ name: 'owner', sha256: sha256Hex(ownerKey) }],
  });
  relay = await serve({ config, ca: undefined, keyOf: () => known?.atRelay }, () => {});
  return insideTarget(
    { providers, ports: { relay: Number(new URL(relay.url).port) } },
    {
      secrets: {
        RELAY_KEY_OWNER: ownerKey,
        ...(known ? { OPENAI_API_KEY: known.atRelay } : {}),
      },
    },
  );
}

describe('a relay with a provider behind it', () => {
  it('passes with one short chat', async () => {
    const target = await relayTarget({ atProvider: 'sk-1', atRelay: 'sk-1' });
    expect(await outcomes(target, relayTests)).toEqual({
      'relay-wrong-key': 'passed',
      'relay-models': 'passed',
      'relay-local': 'skipped',
      'relay-chat': 'passed',
    });
    const chats = provider?.received.filter(({ path }) => path === '/v1/chat/completions') ?? [];
    expect(chats.map(({ body }) => JSON.parse(body).model)).toEqual(['stand-in-1']);
  });
});

describe('providers whose APIs have other paths', () => {
  const opened: Array<{ close(): Promise<void> }> = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  /** A real relay in front of stand-ins with the shapes of these providers. */
  async function shapedTarget(
    names: ReadonlyArray<keyof typeof providerShapes>,
    site: Record<string, { models: string[] }> = {},
  ): Promise<SmokeTarget> {
    const started = await Promise.all(
      names.map(async (name) => {
        const at = await startProvider({ key: `sk-${name}`, shape: providerShapes[name] });
        opened.push(at);
        return [name, { base_url: at.baseUrl, ...site[name] }] as const;
      }),
    );
    const providers = Object.fromEntries(started);
    const keys = Object.fromEntries(
      names.map((name) => [`${name.toUpperCase()}_API_KEY`, `sk-${name}`]),
    );
    const config = relayConfigSchema.parse({
      listen: { host: '127.0.0.1', port: 0 },
      providers: Object.fromEntries(started.map(([name, { base_url }]) => [name, { base_url }])),
      keys: [{ name: 'owner', sha256: sha256Hex(ownerKey) }],
    });
    const keyOf = (source: { variable: string } | { file: string }) =>
      'variable' in source ? keys[source.variable] : undefined;
    relay = await serve({ config, ca: undefined, keyOf }, () => {});
    return insideTarget(
      { providers, ports: { relay: Number(new URL(relay.url).port) } },
      { secrets: { RELAY_KEY_OWNER: ownerKey, ...keys } },
    );
  }

  it.each(['zhipu', 'deepseek', 'volcengine', 'qianfan', 'spark'] as const)(
    'chats with %s through the relay',
    async (name) => {
      const target = await shapedTarget([name]);
      const { detail, outcome } = await resultOf('relay-chat', target, relayTests);
      expect([outcome, detail]).toEqual(['passed', undefined]);
    },
  );

  it('chats with 智谱 and DeepSeek on one site', async () => {
    const target = await shapedTarget(['zhipu', 'deepseek']);
    expect(await outcomes(target, relayTests)).toEqual({
      'relay-wrong-key': 'passed',
      'relay-models': 'passed',
      'relay-local': 'skipped',
      'relay-chat': 'passed',
    });
    const ask = (provider: string, model: string) =>
      fetch(`${relay?.url}/${provider}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: '你好' }] }),
      });
    expect((await ask('zhipu', 'glm-4-flash')).status).toBe(200);
    expect((await ask('deepseek', 'deepseek-chat')).status).toBe(200);
  });

  it('proves the key with a chat where a provider has no list of models, and says so', async () => {
    const target = await shapedTarget(['spark'], { spark: { models: ['generalv3.5'] } });
    const { outcome, detail } = await resultOf('relay-models', target, relayTests);
    expect([outcome, detail]).toEqual([
      'passed',
      'spark has no list of models; generalv3.5 responds',
    ]);
  });
});

describe('a relay whose provider has no key yet', () => {
  it('skips tests that need a provider, with a hint', async () => {
    const target = await relayTarget(undefined);
    expect(await outcomes(target, relayTests)).toMatchObject({ 'relay-wrong-key': 'passed' });
    expect(await resultOf('relay-chat', target, relayTests)).toMatchObject({
      outcome: 'skipped',
      detail: 'no provider key is set: run sudo landfall secret set OPENAI_API_KEY',
    });
  });
});

describe('a relay with a key that the provider rejects', () => {
  it('fails with the provider and the cause', async () => {
    const target = await relayTarget({ atProvider: 'sk-1', atRelay: 'sk-2' });
    const result = await resultOf('relay-models', target, relayTests);
    expect(result.detail).toBe(
      'openai: status 502, provider_key_refused; run: sudo landfall secret set OPENAI_API_KEY',
    );
    expect(result.lookAt).toContain('landfall-relay');
    // A failure of an external service must not fail a first boot.
    expect(result.needsOthers).toBe(true);
    expect(result.detail).not.toContain('sk-2');
  });
});

describe('a relay that accepts any client', () => {
  it('fails with the hint to stop it', async () => {
    const port = await portOf(() => Response.json({ data: [] }));
    const providers = { openai: { base_url: 'https://api.openai.com/v1' } };
    const target = insideTarget({ providers, ports: { relay: port } });
    const result = await resultOf('relay-wrong-key', target, relayTests);
    expect(result.outcome).toBe('failed');
    expect(result.lookAt).toContain('sudo docker stop landfall-relay');
  });
});

describe('a provider with many models', () => {
  async function chatWith(models: readonly string[], works: string): Promise<string[]> {
    const asked: string[] = [];
    const port = await portOf(async (request) => {
      if (request.url.endsWith('/models')) {
        return Response.json({ data: models.map((id) => ({ id })) });
      }
      const { model } = (await request.json()) as { model: string };
      asked.push(model);
      return model === works
        ? Response.json({ choices: [{ message: { content: 'hello' } }] })
        : Response.json({ error: { code: 'not_a_chat_model' } }, { status: 404 });
    });
    const target = insideTarget(
      { providers: { x: { base_url: 'https://x.example/v1' } }, ports: { relay: port } },
      { secrets: { X_API_KEY: 'k', RELAY_KEY_OWNER: ownerKey } },
    );
    const { outcome } = await resultOf('relay-chat', target, relayTests);
    return [outcome, ...asked];
  }

  it('tests a provider with a chat model, found by name and then by trial', async () => {
    const models = ['text-embedding-3', 'whisper-1', 'base-1', 'gpt-small', 'gpt-large'];
    expect(await chatWith(models, 'gpt-small')).toEqual(['passed', 'base-1', 'gpt-small']);
  });

  it('fails after a few attempts', async () => {
    expect(await chatWith(['a', 'b', 'c', 'd', 'e', 'f'], 'f')).toEqual([
      'failed',
      'a',
      'b',
      'c',
      'd',
    ]);
  });
});

describe('a relay that cannot be tested', () => {
  it('skips a relay that the site does not need', async () => {
    const { outcome, detail } = await resultOf('relay-wrong-key', insideTarget(), relayTests);
    expect([outcome, detail]).toEqual(['skipped', 'the site has it turned off']);
  });

  it('skips a chat with the relay from outside, without its key', async () => {
    const target = outsideTarget({ hosts: { relay: 'api.example.com' } });
    const { outcome, detail } = await resultOf('relay-chat', target, relayTests);
    expect([outcome, detail]).toEqual(['skipped', 'runs on the server only']);
  });
});
