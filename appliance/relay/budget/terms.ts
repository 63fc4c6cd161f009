import type { Budget } from './budget.ts';

/** What a key may do besides its limits of the moment. */
export interface KeyTerms {
  /** Names of models, prefixes such as `text-embedding-*`, and paths of endpoints without a model. */
  readonly models: readonly string[] | undefined;
  /** When the key expires, in milliseconds since 1970. */
  readonly expires: number | undefined;
  /** Undefined without a limit that survives a restart. */
  readonly budget: Budget | undefined;
  /** Budget of each person behind the key, such as a user of the chat UI. */
  readonly perPerson: Budget | undefined;
}

/** Returns whether a model is in a list. */
export function isModelAllowed(models: readonly string[], model: string): boolean {
  return models.some((each) =>
    each.endsWith('*') ? model.startsWith(each.slice(0, -1)) : model === each,
  );
}

/** Returns whether an endpoint without a model is in a list. @param rest path after the version */
export function isPathAllowed(models: readonly string[], rest: string): boolean {
  return models.some((each) => each.startsWith('/') && rest === each);
}
