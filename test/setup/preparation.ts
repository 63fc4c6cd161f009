import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';
import { type NeedName, needNames, reasonVariableOf, variableOf } from './variables.ts';

/** Returns another dependency. */
export type Get = (name: NeedName) => Promise<string>;

/** Prepares one dependency; requests those that it depends on. */
export type Provider = (get: Get) => string | Promise<string>;

/** Prepares dependencies, each one once, and records the reason for missing ones. */
export class Preparation {
  readonly #providers: Readonly<Record<NeedName, Provider>>;
  readonly #say: Say;
  readonly #running = new Map<NeedName, Promise<string>>();
  readonly #values = new Map<NeedName, string>();
  readonly #reasons = new Map<NeedName, string>();

  constructor(providers: Readonly<Record<NeedName, Provider>>, say: Say) {
    this.#providers = providers;
    this.#say = say;
  }

  /** Prepares some dependencies in parallel, with those that they depend on. Never throws. */
  async provide(names: readonly NeedName[]): Promise<void> {
    await Promise.allSettled(names.map((name) => this.#get(name)));
  }

  /** The environment variables that describe the dependencies to the tests. */
  variables(): Record<string, string> {
    const variables = needNames.map((name): [string, string] => {
      const value = this.#values.get(name);
      if (value) return [variableOf(name), value];
      return [reasonVariableOf(name), this.#reasons.get(name) ?? 'not prepared'];
    });
    return Object.fromEntries(variables);
  }

  /** The same function for every provider: some share what they make by their arguments. */
  readonly #get: Get = (name) => {
    const running = this.#running.get(name) ?? this.#make(name);
    this.#running.set(name, running);
    return running;
  };

  async #make(name: NeedName): Promise<string> {
    const began = performance.now();
    try {
      const value = await this.#providers[name](this.#get);
      this.#values.set(name, value);
      const seconds = (performance.now() - began) / 1000;
      if (seconds >= reportThreshold) this.#say(name, `ready after ${seconds.toFixed(1)} s`);
      return value;
    } catch (error) {
      const reason = reasonOf(error);
      this.#reasons.set(name, reason);
      this.#say(name, `not available: ${reason}`);
      throw new Unmet(`no ${name}: ${reason}`);
    }
  }
}

/** Seconds. */
const reportThreshold = 1;

function reasonOf(error: unknown): string {
  if (error instanceof Unmet) return error.message;
  return error instanceof Error ? lastLines(error.message) : String(error);
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join('; ');
}
