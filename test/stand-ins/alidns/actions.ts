import { z } from 'zod';
import { type Account, ApiError, type TextRecord } from './account.ts';

const count = z.coerce.number().int();
const page = { PageNumber: count.min(1).default(1), PageSize: count.min(1).max(500).default(20) };

/** The parameters of each action. The schemas are strict, so that a misspelled one is an error. */
const parameters = {
  DescribeDomains: z.strictObject(page),
  DescribeDomainRecords: z.strictObject({ ...page, DomainName: z.string().min(1) }),
  AddDomainRecord: z.strictObject({
    DomainName: z.string().min(1),
    RR: z.string().min(1).max(253),
    Type: z.literal('TXT'),
    Value: z.string().min(1).max(512),
    // The free edition has no shorter ones.
    TTL: count.min(600).max(86_400).default(600),
    Line: z.string().default('default'),
  }),
  DeleteDomainRecord: z.strictObject({ RecordId: z.string().regex(/^\d+$/) }),
} as const;

type ActionName = keyof typeof parameters;

/** The records of an account, and what the four actions of lego do with them. */
export class Zones {
  readonly #account: Account;
  readonly #records = new Map<string, TextRecord>();
  readonly #publish: (records: readonly TextRecord[]) => Promise<void>;
  #last = 1_000_000_000;

  /** @param publish makes the name servers of the domains show exactly these records */
  constructor(account: Account, publish: (records: readonly TextRecord[]) => Promise<void>) {
    this.#account = account;
    this.#publish = publish;
  }

  /** Runs an action. @throws ApiError as the API has them */
  async run(action: string, query: Readonly<Record<string, string>>): Promise<object> {
    if (!Object.hasOwn(parameters, action)) {
      throw new ApiError(404, 'InvalidAction.NotFound', 'Specified api is not found.');
    }
    const name = action as ActionName;
    const parsed = parameters[name].safeParse(query);
    const [issue] = parsed.error?.issues ?? [];
    if (issue !== undefined) {
      const message = `The parameter ${issue.path.join('.')} is invalid: ${issue.message}.`;
      throw new ApiError(400, 'InvalidParameter', message);
    }
    if (name === 'DescribeDomains') return this.#domains(parameters[name].parse(query));
    if (name === 'DescribeDomainRecords') return this.#list(parameters[name].parse(query));
    if (!this.#account.mayChange) {
      const message = 'User not authorized to operate on the specified resource, or this API does';
      throw new ApiError(403, 'Forbidden.RAM', `${message} not support RAM.`);
    }
    if (name === 'AddDomainRecord') return await this.#add(parameters[name].parse(query));
    return await this.#delete(parameters[name].parse(query).RecordId);
  }

  #domains({ PageNumber, PageSize }: z.infer<(typeof parameters)['DescribeDomains']>): object {
    const { domains } = this.#account;
    const shown = domains.slice((PageNumber - 1) * PageSize, PageNumber * PageSize);
    const Domain = shown.map((name, index) => ({
      DomainId: `domain-${index}`,
      DomainName: name,
      PunyCode: name,
    }));
    return { TotalCount: domains.length, PageNumber, PageSize, Domains: { Domain } };
  }

  #list(asked: z.infer<(typeof parameters)['DescribeDomainRecords']>): object {
    const { DomainName, PageNumber, PageSize } = asked;
    this.#refuseForeign(DomainName);
    const all = [...this.#records.values()].filter((each) => each.DomainName === DomainName);
    const Record = all.slice((PageNumber - 1) * PageSize, PageNumber * PageSize);
    return { TotalCount: all.length, PageNumber, PageSize, DomainRecords: { Record } };
  }

  async #add(asked: z.infer<(typeof parameters)['AddDomainRecord']>): Promise<object> {
    this.#refuseForeign(asked.DomainName);
    const same = [...this.#records.values()].some(
      ({ DomainName, RR, Value }) =>
        DomainName === asked.DomainName && RR === asked.RR && Value === asked.Value,
    );
    if (same) throw new ApiError(400, 'DomainRecordDuplicate', 'The DNS record already exists.');
    this.#last += 1;
    const RecordId = `${this.#last}`;
    this.#records.set(RecordId, { ...asked, RecordId });
    await this.#publish([...this.#records.values()]);
    return { RecordId };
  }

  async #delete(RecordId: string): Promise<object> {
    if (!this.#records.delete(RecordId)) {
      const message = 'The domain record does not belong to the user.';
      throw new ApiError(400, 'DomainRecordNotBelongToUser', message);
    }
    await this.#publish([...this.#records.values()]);
    return { RecordId };
  }

  #refuseForeign(domain: string): void {
    if (this.#account.domains.includes(domain)) return;
    const message = 'The specified domain name does not exist. Refresh the page and try again.';
    throw new ApiError(400, 'InvalidDomainName.NoExist', message);
  }
}
