import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { relayConfigSchema } from '../../../../appliance/relay/config.ts';
import { type Answer, json, type Provider } from '../provider.ts';
import { RelayRig, relayKey } from '../rig.ts';

type Key = Omit<NonNullable<z.input<typeof relayConfigSchema>['keys']>[number], 'sha256'>;

/** A relay whose key has terms. Its folder with the usage survives a restart. */
export class BudgetedRelay {
  now = Date.parse('2027-03-31T12:00:00Z');
  #rig: RelayRig | undefined;
  #provider: Provider | undefined;
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(key: Partial<Key>, more: object = {}): Promise<BudgetedRelay> {
    const relay = new BudgetedRelay(await mkdtemp(join(tmpdir(), 'landfall-budget-')));
    await relay.restart(key, more);
    return relay;
  }

  get rig(): RelayRig {
    if (!this.#rig) throw new Error('the relay is not running');
    return this.#rig;
  }

  /** Starts another relay with the same folder and provider. */
  async restart(key: Partial<Key>, more: object = {}): Promise<void> {
    await this.#rig?.stop();
    const keys = [{ name: 'me', sha256: sha256Hex(relayKey), ...key }];
    this.#rig = await RelayRig.start(
      { keys, usage_folder: this.folder, ...more },
      {
        now: () => this.now,
        keys: { OPENAI_API_KEY: 'sk-provider-0123456789abcdef' },
        ...(this.#provider ? { provider: this.#provider } : {}),
      },
    );
    this.#provider = this.#rig.provider;
  }

  /** Sends a JSON body, and returns the response with its body read. */
  async post(body: unknown, path = '/v1/chat/completions', headers: object = {}) {
    const answer = await this.rig.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  }

  /** Lets the provider answer the next requests with usage. */
  reports(...totals: readonly unknown[]): void {
    for (const total_tokens of totals) this.rig.provider.answerNext(completion({ total_tokens }));
  }

  /** Returns what is left, by the header of a request that costs nothing. */
  async left(unit: 'tokens' | 'requests' = 'tokens'): Promise<number> {
    const answer = await this.rig.ask('/v1/models');
    await answer.text();
    return Number(answer.headers.get(`x-relay-remaining-${unit}`));
  }

  async close(): Promise<void> {
    await this.rig.close();
    await rm(this.folder, { recursive: true });
  }
}

/** Answers with a completion and some usage. */
export function completion(usage: unknown): Answer {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' } }];
  return json(200, { id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices, usage });
}
