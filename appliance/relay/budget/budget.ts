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
