import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalModels } from '#contract/sizes/local-models.ts';
import { everything, stackInput } from '../../appliance/stages/stack/stack-input.ts';
import { type Provider, startProvider } from '../../stand-ins/provider/provider.ts';
import { type Answer, type Asked, GatewayClient } from './gateway-client.ts';
import { type Service, StackRig } from './stack-rig.ts';
import { tinyModels } from './tiny-models.ts';

/** The whole stack, running and healthy, with a provider behind its relay. */
export class RunningStack {
  readonly rig: StackRig;
  readonly provider: Provider;
  readonly providerKey: string;
  secrets: Readonly<Record<string, string>>;
  readonly #heard: { words: number };

  private constructor(rig: StackRig, provider: Provider, key: string, heard: { words: number }) {
    this.rig = rig;
    this.provider = provider;
    this.providerKey = key;
    this.secrets = rig.input.secrets;
    this.#heard = heard;
  }

  static async start(parts: {
    readonly engine: string;
    readonly registry: string;
    readonly composePlugin: string;
    readonly images?: Partial<Record<Service, string>>;
    /** Models that the configuration names. */
    readonly models?: LocalModels;
    /** Fields that the site has in addition. */
    readonly site?: Record<string, unknown>;
    /** Time limit until the stack is healthy. */
    readonly seconds?: number;
  }): Promise<RunningStack> {
    const key = `sk-${randomBytes(12).toString('hex')}`;
    const heard = { words: Number.POSITIVE_INFINITY };
    const after = async (said: number) => {
      while (heard.words < said) await sleep(10);
    };
    const provider = await startProvider({ key, host: ownAddress(), after });
    const site = {
      ...everything,
      providers: { openai: { base_url: provider.baseUrl, plain: 'i-understand' } },
      relay: { keys: ['phone'], local: true },
      ...parts.site,
    };
    const input = stackInput(site, {
      server: { memory: 4 * 1024 ** 3, cpus: 2 },
      models: parts.models ?? tinyModels,
    });
    const rig = await StackRig.prepare({
      engine: parts.engine,
      registry: parts.registry,
      composePlugin: parts.composePlugin,
      ...(parts.images ? { images: parts.images } : {}),
      input: { ...input, secrets: { ...input.secrets, OPENAI_API_KEY: key } },
    });
    try {
      await rig.compose('up', '--detach', '--wait', '--wait-timeout', `${parts.seconds ?? 300}`);
    } catch (cause) {
      const logs = await rig.compose('--profile', '*', 'logs', '--tail', '30').catch(String);
      await provider.close();
      await rig.close();
      throw new Error(`the stack does not start:\n${logs}`, { cause });
    }
    return new RunningStack(rig, provider, key, heard);
  }

  async ask(url: string, asked: Asked = {}): Promise<Answer> {
    return await (await this.#client()).ask(url, asked);
  }

  async upgrade(origin: string, from = origin): Promise<{ status: number; text: string }> {
    return await (await this.#client()).upgrade(origin, from);
  }

  /**
   * Requests a stream in which the provider sends a word only after the previous one arrived here.
   * A buffering proxy in between would block it forever.
   */
  async askForWords(url: string, asked: Asked): Promise<Answer> {
    let soFar = '';
    this.#heard.words = 0;
    return await (await this.#client()).ask(url, asked, (piece) => {
      soFar += piece;
      this.#heard.words = [...soFar.matchAll(/"content":" ?\w/g)].length;
    });
  }

  /** Changes a secret on disk; containers read it at the next `up`. */
  async setSecret(name: string, value: string): Promise<void> {
    this.secrets = { ...this.secrets, [name]: value };
    await this.rig.render({ ...this.rig.input, secrets: this.secrets });
  }

  async close(): Promise<void> {
    await this.provider.close();
    await this.rig.close();
  }

  /** The gateway may get another address when it is recreated. */
  async #client(): Promise<GatewayClient> {
    return new GatewayClient(await this.rig.address('gateway'), this.rig.authority.cert);
  }
}

/** Returns an address of this machine that containers can reach. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = all.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!own) throw new Error('this machine has no address but loopback');
  return own.address;
}
