import { contentPolicyFor } from '../../progress/page/content-policy.ts';
import { pageStyle } from '../pages/page-style.ts';
import { policy } from './directives.ts';
import { block, type Security, securityHeaders } from './server-block.ts';
import { retrySeconds, unavailableJson, unavailablePage } from './unavailable-page.ts';

const formats = { html: 'text/html', json: 'application/json' } as const;

/**
 * Returns the locations for a component that the gateway cannot reach or that does not respond. The
 * response keeps the status 502 or 504. Errors of the component itself are forwarded unchanged. Named
 * locations keep the method and the path of the request, which the log contains.
 */
export function unavailableLocations(security: Pick<Security, 'hsts'>): string[] {
  return [
    'error_page 502 504 @unavailable_$error_format;',
    ...Object.entries(formats).map(
      ([format, type]) =>
        `location @unavailable_${format} ${block([
          ...securityHeaders(security),
          policy(contentPolicyFor({ style: pageStyle })),
          `add_header Retry-After ${retrySeconds} always;`,
          'add_header Cache-Control no-store always;',
          'add_header Vary Accept always;',
          `default_type ${type};`,
          'charset utf-8;',
          `return 502 $unavailable_${format};`,
        ])}`,
    ),
  ];
}

/** Renders the variables with the two responses. */
export function unavailableVariables(): string {
  const texts = { html: unavailablePage, json: unavailableJson };
  return Object.entries(texts)
    .map(([format, text]) => `map $host $unavailable_${format} {\n  default ${quoted(text)};\n}\n`)
    .join('');
}

/** Quotes a text for nginx, which has no escape for `$`. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
