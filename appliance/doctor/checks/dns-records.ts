import { servedHosts } from '#contract/site/served-hosts.ts';
import { authorityOf } from '../../tls/authority.ts';
import { type DnsRecord, findNamesHere, formatRecord } from '../../tls/resolve-hosts.ts';
import { type Resolve, systemResolver } from '../../tls/resolve-name.ts';
import type { Check, Finding } from '../finding.ts';

/** Reports DNS records that a public authority needs to issue the certificate. */
export const dnsRecordsCheck = dnsRecordsCheckWith(undefined);

/** Returns the check with the resolver of a test. */
export function dnsRecordsCheckWith(resolve: Resolve | undefined): Check {
  return {
    name: 'dns-records',
    root: true,
    needs: 'site',
    run: async ({ host, site }) => {
      const names = [...new Set(Object.values(servedHosts(site)))];
      // Names with another certificate may exist in a private DNS only.
      if (names.length === 0 || !authorityOf(site)) return [];
      const resolver = resolve ?? (await systemResolver(host));
      const { missing } = await findNamesHere({ host, site }, names, resolver);
      return missing.map(findingFor);
    },
  };
}

function findingFor(record: DnsRecord): Finding {
  const { name } = record;
  return {
    code: 'DNS_RECORD_MISSING',
    subject: name,
    text: `this DNS record is missing: ${formatRecord(record)}`,
    record,
  };
}
