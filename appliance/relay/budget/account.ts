import type { ClientKey } from '../key-usage.ts';
import type { Fields } from '../message.ts';
import type { Refusal } from '../refusal.ts';
import { type Budget, budgetLimits, type Exceeded, type Remaining } from './budget.ts';
import { Charge } from './charge.ts';
import type { CountedRequest } from './request.ts';
import type { Usage } from './usage.ts';

/** Budgets of a relay, and what it has learned. */
export interface Budgets {
  /** Undefined while the store is unusable. */
  readonly usage: Usage | undefined;
  /** Returns the keyed hash of a person's address. */
  readonly personOf: (address: string) => string;
  /** Returns the keyed hash of the network of an address on a day; undefined for an unknown network. */
  readonly networkOf: (address: string, day: string) => string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the fields that a provider has refused, by its name. Others may be added. */
  readonly refusedBy: (provider: string) => Set<string>;
}

/** Open WebUI names its user in this header, which is never forwarded. */
const personHeader = 'x-openwebui-user-email';
/** Characters, RFC 5321. */
const maxAddress = 320;

/** The account of a client with a budget. */
export class Account {
  readonly #client: string;
  readonly #name: string;
  readonly #budgets: Budgets;
  readonly budget: Budget;

  constructor(client: string, name: string, budget: Budget, budgets: Budgets) {
    this.#client = client;
    this.#name = name;
    this.budget = budget;
    this.#budgets = budgets;
  }

  /** Returns the headers with what is left of the budget. */
  headers(): Readonly<Record<string, string>> {
    const { tokens, requests }: Partial<Remaining> =
      this.#budgets.usage?.remaining(this.#name, this.budget) ?? {};
    return {
      ...(tokens === undefined ? {} : { 'x-relay-remaining-tokens': `${tokens}` }),
      ...(requests === undefined ? {} : { 'x-relay-remaining-requests': `${requests}` }),
    };
  }

  /** Holds what a request needs. */
  async reserve(request: CountedRequest): Promise<Charge | Refusal> {
    const hold = await this.#budgets.usage?.reserve(this.#name, this.budget, request.want);
    if (!hold) return { refused: 'relay_usage_unavailable' };
    if (!('exceeded' in hold)) return new Charge(request, hold);
    return exceededRefusal(hold.exceeded, this.#client, this.#budgets.now());
  }
}

/** Returns the account of a client; undefined without a budget. */
export function accountOf(
  { name, terms }: ClientKey,
  headers: Fields,
  budgets: Budgets,
): Account | undefined {
  if (terms?.budget) return new Account(name, name, terms.budget, budgets);
  if (!terms?.perPerson) return undefined;
  const address = headers.get(personHeader) ?? '';
  const isUsable = address !== '' && address.length <= maxAddress;
  const person = isUsable ? budgets.personOf(address) : 'unknown';
  const account = budgets.usage?.accountOf(name, person) ?? name;
  return new Account(isUsable ? `${name}, for this user` : name, account, terms.perPerson, budgets);
}

/**
 * Stores from which network a key with a budget is used. People who share a key are behind the address of
 * the chat UI.
 * @param address of the client; undefined if it is unknown
 */
export function noteNetwork(
  { name, terms }: ClientKey,
  address: string | null,
  { usage, networkOf }: Budgets,
): void {
  if (terms?.budget && address !== null) usage?.noteNetwork(name, (day) => networkOf(address, day));
}

function exceededRefusal(
  { limit, budget, left, wanted, reset }: Exceeded,
  client: string,
  now: number,
): Refusal {
  const { unit, window } = budgetLimits[limit];
  const at = new Date(reset).toISOString().replace('.000Z', 'Z');
  const need = unit === 'tokens' ? `, and this request may need ${wanted}` : '';
  return {
    refused: 'relay_budget_exceeded',
    message: `budget of the relay key ${client} exceeded: ${left} of ${budget} ${unit} a ${window} are left${need}; it resets at ${at}`,
    headers: { 'retry-after': `${Math.max(1, Math.ceil((reset - now) / 1000))}` },
  };
}
