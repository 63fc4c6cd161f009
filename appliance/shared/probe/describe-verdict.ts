import type { Verdict } from './verdict.ts';

/** Formats a verdict as one line, with the remedy of SPEC 7. */
export function describeVerdict(verdict: Verdict): string {
  const { polluted } = verdict;
  const remedy =
    polluted.length > 0 ? `. DNS is polluted for ${polluted.join(', ')}: ${dnsRemedy}` : '';
  return `${sentenceOf(verdict)}${remedy}`;
}

const dnsRemedy =
  'use a public DNS server, a proxy that resolves names, or proxy_dns in proxychains; the system may overwrite resolv.conf';

function sentenceOf({ kind, providers, triedProxy }: Verdict): string {
  const names = providers.join(', ');
  switch (kind) {
    case 'direct':
      return 'direct access works; no proxy is needed';
    case 'proxy':
      return `the proxy works; use it for ${names}`;
    case 'dns':
      return `direct access to ${names} works with the right addresses`;
    case 'relay':
      return triedProxy
        ? `no route works for ${names}: check the settings and the port of the proxy, or use a relay`
        : `no route works for ${names}: use a proxy or a relay`;
  }
}
