import type { Say } from './say.ts';
import { Unmet } from './unmet.ts';
import { type NeedName, needNames, reasonVariableOf, variableOf } from './variables.ts';

/** Collects what the preparation could provide, and for the rest the reason why not. */
export class Findings {
  readonly #say: Say;
  readonly #values = new Map<NeedName, string>();
  readonly #reasons = new Map<NeedName, string>();

  constructor(say: Say) {
    this.#say = say;
  }

  /** Tries to provide one thing; gives it, or nothing with the reason noted. */
  async provide(
    name: NeedName,
    make: () => string | Promise<string>,
    options: { quiet?: boolean } = {},
  ): Promise<string | undefined> {
    const began = performance.now();
    try {
      const value = await make();
      this.#values.set(name, value);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (!options.quiet) this.#say(name, `${value}  (${seconds} s)`);
      return value;
    } catch (error) {
      this.#reasons.set(name, reasonOf(error));
      this.#say(name, `not here: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** The environment variables that tell the tests what there is. */
  variables(): Record<string, string> {
    const variables = needNames.map((name): [string, string] => {
      const value = this.#values.get(name);
      if (value) return [variableOf(name), value];
      return [reasonVariableOf(name), this.#reasons.get(name) ?? 'it was not prepared'];
    });
    return Object.fromEntries(variables);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Unmet) return error.message;
  return error instanceof Error ? lastLines(error.message) : String(error);
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join('; ');
}
