import type { ErrorCode } from '#contract/errors.ts';

interface ProblemKind {
  readonly code: ErrorCode;
  readonly hint: string;
}

const kind = (code: ErrorCode, hint: string): ProblemKind => ({ code, hint });
const challenge = (hint: string) => kind('ACME_CHALLENGE', hint);
const refused = (hint: string) => kind('ACME_REFUSED', hint);
const unavailable = (hint: string) => kind('ACME_UNREACHABLE', hint);

const badName = refused(
  'Use a name of your own domain, or tls.mode: internal: the authority does not certify this name.',
);
const badContact = refused('Set admin.email to an address that receives mail.');
const badAccount = refused(
  'Delete the invalid ACME account in /var/lib/landfall/acme/config/accounts, then run: sudo landfall tls renew',
);
const transient = unavailable('Request it now with: sudo landfall tls renew');

/** Error code and hint for each problem type of ACME (RFC 8555, 6.7). */
export const problemKinds: ReadonlyMap<string, ProblemKind> = new Map([
  [
    'connection',
    challenge(
      "Make port 80 reachable from the internet: check the provider's firewall and the A and AAAA records.",
    ),
  ],
  [
    'unauthorized',
    challenge(
      'Point the A and AAAA records of this name to this server: another server responded.',
    ),
  ],
  [
    'incorrectResponse',
    challenge('Point the DNS records to this server: another server responded.'),
  ],
  ['dns', challenge('Create a public A or AAAA record, or fix the DNS servers of the domain.')],
  ['unknownHost', challenge('Create a public A or AAAA record.')],
  ['dnssec', challenge('Fix the DNSSEC signatures of the zone, or turn DNSSEC off.')],
  ['caa', challenge('Add this authority to the CAA record of the domain, or remove the record.')],
  ['tls', challenge('Remove the redirect to a server with invalid TLS.')],
  ['rejectedIdentifier', badName],
  ['unsupportedIdentifier', badName],
  ['malformed', badName],
  ['badCSR', badName],
  ['invalidEmail', badContact],
  ['invalidContact', badContact],
  ['unsupportedContact', badContact],
  ['accountDoesNotExist', badAccount],
  [
    'userActionRequired',
    refused("Read the authority's new terms, then run: sudo landfall tls renew"),
  ],
  [
    'externalAccountRequired',
    refused('Use an authority that does not require external account binding.'),
  ],
  ['badNonce', transient],
  ['serverInternal', transient],
  ['orderNotReady', transient],
]);
