/** The budget of a relay key. */

export interface Budget {
  readonly tokens_per_day?: number | undefined;
  readonly tokens_per_month?: number | undefined;
  readonly requests_per_day?: number | undefined;
}

/** Every limit of a budget, what it counts, and its window. */
export const budgetLimits = {
  tokens_per_day: { unit: 'tokens', window: 'day' },
  tokens_per_month: { unit: 'tokens', window: 'month' },
  requests_per_day: { unit: 'requests', window: 'day' },
} as const satisfies Record<keyof Budget, { unit: 'tokens' | 'requests'; window: 'day' | 'month' }>;

export type BudgetLimit = keyof typeof budgetLimits;

/** Names of the limits. */
export const budgetLimitNames = Object.keys(budgetLimits) as readonly BudgetLimit[];

/** Returns whether a key has a limit whose use must survive a restart. */
export function hasBudget(budget: Budget): boolean {
  return budgetLimitNames.some((name) => budget[name] !== undefined);
}

/** Returns whether tokens are limited, so that requests and answers are counted. */
export function limitsTokens(budget: Budget): boolean {
  return budget.tokens_per_day !== undefined || budget.tokens_per_month !== undefined;
}

/** The tokens that a request needs: `least` or it is refused, and up to `most` if they are left. */
export interface Want {
  readonly least: number;
  readonly most: number;
}

/** A budget that does not have the tokens or the request that is wanted. */
export interface Exceeded {
  readonly limit: BudgetLimit;
  /** The limit, and what is left of it. */
  readonly budget: number;
  readonly left: number;
  /** Tokens that the request needs; 1 for requests. */
  readonly wanted: number;
  /** When the window ends, in milliseconds since 1970. */
  readonly reset: number;
}

/** What is left of the limits of an account; undefined without a limit. */
export interface Remaining {
  readonly tokens: number | undefined;
  readonly requests: number | undefined;
}
