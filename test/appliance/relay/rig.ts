import type { z } from 'zod';
import { sha256Hex } from '#contract/trust/digest.ts';
import { relayConfigSchema } from '../../../appliance/relay/config.ts';
import type { Access } from '../../../appliance/relay/env.ts';
import { type RunningRelay, serve } from '../../../appliance/relay/node/serve.ts';
import { Provider, providerKey } from './provider.ts';

export const relayKey = 'relay-key-0123456789';

type Settings = z.input<typeof relayConfigSchema>;

/** A relay on loopback with one provider, and its log. */
export class RelayRig {
  readonly log: Access[] = [];
  readonly provider: Provider;
  readonly #relay: RunningRelay;

  private constructor(provider: Provider, relay: RunningRelay, log: Access[]) {
    this.provider = provider;
    this.#relay = relay;
    this.log = log;
  }

  /**
   * @param settings override those of the rig
   * @param more another provider, trusted authorities, keys by variable, the clock of budgets
   */
  static async start(
    settings: Partial<Settings> = {},
    more: {
      provider?: Provider;
      ca?: string;
      keys?: Readonly<Record<string, string>>;
      now?: () => number;
    } = {},
  ): Promise<RelayRig> {
    const provider = more.provider ?? (await Provider.start());
    const config = relayConfigSchema.parse({
      listen: { host: '127.0.0.1', port: 0 },
      providers: { openai: { base_url: provider.base() } },
      keys: [{ name: 'me', sha256: sha256Hex(relayKey) }],
      ...settings,
    });
    const log: Access[] = [];
    const keys: Readonly<Record<string, string>> = more.keys ?? { OPENAI_API_KEY: providerKey };
    const relay = await serve(
      {
        config,
        ca: more.ca,
        keyOf: (source) => ('variable' in source ? keys[source.variable] : undefined),
      },
      (access) => log.push(access),
      more.now,
    );
    return new RelayRig(provider, relay, log);
  }

  get url(): string {
    return this.#relay.url;
  }

  /** Sends a request, by default with the relay key. */
  ask(path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${relayKey}`);
    return fetch(`${this.url}${path}`, { redirect: 'manual', ...init, headers });
  }

  /** Requests a completion. */
  chat(content: string, stream = false, init: RequestInit = {}): Promise<Response> {
    return this.ask('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tiny', stream, messages: [{ role: 'user', content }] }),
      ...init,
    });
  }

  stop(gracePeriod = 0): Promise<void> {
    return this.#relay.stop(gracePeriod);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.provider.close();
  }
}

/** Returns the code of a refusal. */
export async function codeOf(answer: Response): Promise<unknown> {
  const { error } = (await answer.json()) as { error?: { code?: unknown } };
  return error?.code;
}
