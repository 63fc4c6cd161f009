import type { AccessKey } from './signature.ts';

/** An account of Alibaba Cloud with its key and its domains. */
export interface Account {
  readonly key: AccessKey;
  /** Of temporary credentials (STS): the token and its end. */
  readonly token?: { readonly value: string; readonly expires: Date };
  readonly domains: readonly string[];
  /** Whether the policy of its user (RAM) allows changes. */
  readonly mayChange: boolean;
}

/** A TXT record of a domain. */
export interface TextRecord {
  readonly RecordId: string;
  readonly DomainName: string;
  /** The name below the domain. */
  readonly RR: string;
  readonly Type: 'TXT';
  readonly Value: string;
  readonly TTL: number;
  readonly Line: string;
}

/** An error of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
